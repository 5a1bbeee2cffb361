"""Every sentence a person reads on a screen, as gettext catalogues: `<language>/LC_MESSAGES`.

The message ids are keys (`questions`), so that the English words can change like the others.
To say something new: write `say("a_key", ...)`, run `make locale`, fill in the entry it has added
in `en` and `it`, and run it again. A sentence that counts something has a singular and a plural.

- `renew`  new keys into the catalogues, and the compiled files that the app reads
"""
