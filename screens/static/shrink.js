// Shrinks a photo that is too large for the server or a proxy, and turns it upright. All others are sent
// as the phone made them, since they are read best so.
const MOST_BYTES = 40e6,
  LOOK_AT_BYTES = 12e6,
  MOST_PIXELS = 50e6,
  JPEG_QUALITY = 0.92;
const CANVAS_PIXELS = 16e6; // iPhones draw nothing on a larger one

/** The photo as a JPEG of at most this many pixels; null if the browser cannot open it. */
export async function shrink(photo, pixels, isNeeded = () => true) {
  try {
    const picture = await createImageBitmap(photo);
    if (!isNeeded(picture)) return null;
    const scale = Math.min(1, Math.sqrt(pixels / (picture.width * picture.height)));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return await new Promise((done) => canvas.toBlob(done, "image/jpeg", JPEG_QUALITY));
  } catch {
    return null; // the server says what it is
  }
}

/** The photo itself, or a smaller one if the server would refuse it. */
export async function fit(photo) {
  if (photo.size < LOOK_AT_BYTES) return photo;
  const isNeeded = ({ width, height }) => photo.size > MOST_BYTES || width * height > MOST_PIXELS;
  return (await shrink(photo, CANVAS_PIXELS, isNeeded)) ?? photo;
}
