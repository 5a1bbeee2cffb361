// Makes a photo upright and as small as it can be without being read worse, to send it faster.
// docs/vision.md has the figures.
const LONG_SIDE = 2000,
  JPEG_QUALITY = 0.85,
  MOST_BYTES = 1.5e6; // of a photo that is small enough as it is
const PANORAMA = 4, // is read in parts, three times as long as it is high
  CANVAS_PIXELS = 16e6; // iPhones draw nothing on a larger one

// The photo as an upright JPEG; null if `scaleOf` gives no scale or the browser cannot open it.
async function redraw(photo, scaleOf) {
  try {
    const picture = await createImageBitmap(photo);
    const scale = scaleOf(picture);
    if (scale === null) return null;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return await new Promise((done) => canvas.toBlob(done, "image/jpeg", JPEG_QUALITY));
  } catch {
    return null; // it is sent as it is, and the server says what is wrong with it
  }
}

/** The photo as a JPEG of at most this many pixels; null if the browser cannot open it. */
export function shrink(photo, pixels) {
  return redraw(photo, ({ width, height }) => Math.min(1, Math.sqrt(pixels / (width * height))));
}

/** The photo as it is sent: smaller, or itself if it is small or the browser cannot open it. */
export async function fit(photo) {
  const smaller = await redraw(photo, ({ width, height }) => {
    const long = Math.max(width, height),
      short = Math.min(width, height);
    const part = long < PANORAMA * short ? long : 3 * short;
    const scale = Math.min(1, LONG_SIDE / part, Math.sqrt(CANVAS_PIXELS / (width * height)));
    return scale === 1 && photo.size <= MOST_BYTES ? null : scale;
  });
  return smaller ?? photo;
}
