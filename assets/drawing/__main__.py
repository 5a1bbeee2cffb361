"""Writes every drawing: `python -m assets.drawing`."""

from pathlib import Path

from assets.drawing.files import all_files

ASSETS = Path(__file__).resolve().parent.parent
"""Where the drawings are committed."""

if __name__ == "__main__":
    for name, text in all_files().items():
        target = ASSETS / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    print(f"drew {len(all_files())} files in {ASSETS}")
