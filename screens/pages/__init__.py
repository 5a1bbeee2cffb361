"""One script a screen; Streamlit runs it from the top at every change (navigation.SCREENS)."""
