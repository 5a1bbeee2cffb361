"""One script per screen. Streamlit runs it from the top on every change (navigation.SCREENS)."""
