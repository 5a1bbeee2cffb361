"""The picture of the house is as the code is."""

from docs import picture


def test_the_picture_of_the_architecture_is_up_to_date() -> None:
    drawn = picture.PICTURE.read_text(encoding="utf-8")
    assert drawn == picture.picture(), "run `make architecture` and look at the picture"
