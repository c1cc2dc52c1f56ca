# Tenbin with what its wheel brings: every metric that needs no model, the example, no network at run time.
#
#   docker build -t tenbin .
#   docker run --rm -v "$PWD:/data" tenbin score -r ref.txt -t system.txt -l en
#
# More extras, and resources that are fetched while the image is built:
#
#   docker build -t tenbin-ja --build-arg EXTRAS=ja --build-arg RESOURCES=vectors-ja .
FROM python:3.11-slim AS build

ARG EXTRAS=""
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/tenbin \
    && /opt/tenbin/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
        --constraint constraints.txt ".${EXTRAS:+[$EXTRAS]}"

FROM python:3.11-slim

ARG RESOURCES=""
COPY --from=build /opt/tenbin /opt/tenbin
# Caches and compiled code are in a home that any user may write to: 'docker run --user' is common.
ENV HOME=/home/tenbin \
    PATH=/opt/tenbin/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1
RUN useradd --uid 10001 --create-home --home-dir /home/tenbin tenbin \
    && mkdir /data \
    && chown tenbin /data
# By number, so that Kubernetes can see that it is not root.
USER 10001
WORKDIR /data
RUN if [ -n "$RESOURCES" ]; then tenbin resources install --quiet $RESOURCES; fi \
    && tenbin score --set bundled:example --pair ja-en -m bleu chrf ribes \
    && chmod -R a+rwX /home/tenbin
ENV TENBIN_OFFLINE=1
ENTRYPOINT ["tenbin"]
CMD ["--help"]
