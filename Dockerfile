# Settebello with its networks, as a user without rights: docker build -t settebello . && docker run -p 8501:8501 \
#   -v settebello:/data -e SETTEBELLO_ADDRESS=http://ADDRESS-OF-THIS-MACHINE:8501 settebello
# docs/operations.md says how large it is and what it takes from the environment.
FROM python:3.13-slim AS build
WORKDIR /src
COPY . .
# Maps and the watching of files, which Streamlit asks for and no screen loads, are taken out again,
# with the tests of libraries and pip: 100 MB (tests/screens/test_slim.py draws every screen without).
RUN python -m venv /opt/settebello \
    && /opt/settebello/bin/pip install --quiet --no-cache-dir --no-compile --require-hashes \
        --requirement requirements/postgres.txt \
    && /opt/settebello/bin/pip install --quiet --no-cache-dir --no-compile --no-deps --no-build-isolation . \
    && /opt/settebello/bin/pip uninstall --quiet --yes pydeck watchdog pip \
    && find /opt/settebello -type d \( -name tests -o -name __pycache__ \) -prune -exec rm -rf {} +

FROM python:3.13-slim
RUN useradd --system --no-create-home settebello && install -d -o settebello /data
COPY --from=build /opt/settebello /opt/settebello
ENV PATH=/opt/settebello/bin:$PATH PYTHONDONTWRITEBYTECODE=1 SETTEBELLO_HOME=/data SETTEBELLO_LOG=json
USER settebello
VOLUME /data
EXPOSE 8501
HEALTHCHECK --start-period=60s --timeout=10s CMD ["python", "-c", \
    "import urllib.request as web; web.urlopen('http://127.0.0.1:8501/health', timeout=8)"]
STOPSIGNAL SIGINT
CMD ["settebello"]
