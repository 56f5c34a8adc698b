# An image with `tacit`, for one agent in each container. NOT RUN WITH DOCKER YET: there was no daemon
# where this was written. tests/docs/test_container.py carries out its steps as they stand, each stage in
# an empty folder with an empty Python environment, and then runs agents with what comes out of it.
#
#     docker build -t tacit .
#     docker run --rm --network host --user "$(id -u):$(id -g)" -v "$PWD:/agent" tacit \
#       agent --config agents.toml --name NAME --check
#
# --user is the owner of the folder: its files are for their owner alone. Without --network host, give
# the agent `listen = "0.0.0.0:7411"` in agents.toml and publish the port with -p 7411:7411.

FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY requirements requirements
RUN python -m pip install --require-hashes --only-binary :all: -r requirements/core.lock
COPY CMakeLists.txt pyproject.toml README.md LICENSE ./
COPY src src
RUN python -m pip wheel --no-deps --no-build-isolation -w wheels .

FROM python:3.12-slim
WORKDIR /install
COPY requirements requirements
COPY --from=build /build/wheels wheels
RUN python -m pip install --require-hashes --only-binary :all: \
      -r requirements/core.lock -r requirements/net.lock \
    && python -m pip install --no-deps --no-index wheels/*.whl
WORKDIR /agent
USER 1000:1000
ENTRYPOINT ["tacit"]
CMD ["--help"]
