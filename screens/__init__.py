"""The screens of the app, one thin script each, and the modules they draw with."""
