"""How a deck came out of the press: inks, fading and sharpness differ between printings."""

import cv2
import numpy as np

from training.paint import Image, Rng


class Inking:
    """One printing of a deck: the same change for every card of a scene."""

    def __init__(self, rng: Rng) -> None:
        ink = np.eye(3) + rng.normal(0, 0.06, (3, 3)) if rng.random() < 0.5 else np.eye(3)
        strength = rng.uniform(0.4, 1.5) if rng.random() < 0.5 else 1.0
        fade = np.eye(3) * strength + (1 - strength) / 3
        self.inks = (ink / ink.sum(1, keepdims=True)) @ fade
        """3 x 3, BGR to BGR; white and black stay as they are."""
        self.gamma = float(np.exp(rng.normal(0, 0.25))) if rng.random() < 0.5 else 1.0
        """Above 1: darker inks."""
        self.spread = int(rng.choice([0, 0, 0, -1, 1]))
        """1: ink that ran, -1: thin lines."""
        self.softness = float(rng.choice([0.0, 0.0, rng.uniform(0.4, 1.4)]))
        """Blur of the print in pixels of the scan."""
        drawn = rng.normal(0, 1, (2, 5, 4)).astype(np.float32)
        self.redrawn = drawn * float(rng.choice([0.0, 0.0, rng.uniform(0.004, 0.02)]))
        """How far the drawing is moved, in card widths: x and y on a grid of 5 x 4."""

        pale = 255 - np.abs(rng.normal(0, [60, 25, 15])) if rng.random() < 0.2 else [255] * 3
        self.ground = np.asarray(np.clip(pale, 140, 255), np.float32) / 255
        """Colour the face is printed on, BGR 0..1."""
        self.rim = float(rng.choice([0.0, rng.uniform(0.01, 0.07)]))
        """Share of the width around that colour that stays white."""

    def __call__(self, face: Image) -> Image:
        """A face as this press prints it."""
        levels = np.arange(256) / 255
        curve = (255 * levels**self.gamma).astype(np.uint8)
        printed = cv2.transform(cv2.LUT(face, curve), self.inks.astype(np.float32))
        if self.redrawn.any():
            printed = moved(np.asarray(printed, np.uint8), self.redrawn)
        if self.ground.min() < 1:
            rim = int(self.rim * printed.shape[1])
            inside = np.s_[rim : len(printed) - rim, rim : printed.shape[1] - rim]
            printed[inside] = (printed[inside] * self.ground).astype(np.uint8)
        if self.spread:
            change = cv2.erode if self.spread > 0 else cv2.dilate
            printed = change(printed, np.ones((2, 2), np.uint8))
        if self.softness:
            printed = cv2.GaussianBlur(printed, (0, 0), self.softness)
        return np.asarray(printed, np.uint8)


def moved(face: Image, moves: np.ndarray) -> Image:
    """A face whose drawing is pushed here and there, as another engraver would set it."""
    h, w = face.shape[:2]
    dx, dy = (cv2.resize(move * w, (w, h), interpolation=cv2.INTER_CUBIC) for move in moves)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    moved = cv2.remap(face, x + dx, y + dy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
