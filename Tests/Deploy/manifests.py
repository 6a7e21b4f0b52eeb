"""What deploy/ says of the service, against what the service says of itself: ports, paths, delays and names."""

import json
import os
import re
import subprocess

import yaml

from service import PROGRAM, ROOT

KUBERNETES = os.path.join(ROOT, "deploy/kubernetes")
UNPRIVILEGED = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}


def read(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def load(path):
    return [document for document in yaml.safe_load_all(read(path)) if document]


def settings():
    return json.loads(subprocess.run([PROGRAM, "serve", "--show-config"], check=True, capture_output=True, text=True).stdout)


def drain_seconds():
    """What the settings say, and five seconds for the answers that are under way then."""
    drain = settings()["drain"]
    return drain["delaySeconds"] + drain["windowSeconds"] + 5


def options():
    return set(re.findall(r"--[a-z-]+", subprocess.run(
        [PROGRAM, "serve", "--help"], check=True, capture_output=True, text=True).stdout))


def resources():
    """Each resource of deploy/kubernetes with its file."""
    for folder in sorted(os.listdir(KUBERNETES)):
        base = os.path.join("deploy/kubernetes", folder)
        (kustomization,) = load(os.path.join(base, "kustomization.yaml"))
        files = set(os.listdir(os.path.join(ROOT, base))) - {"kustomization.yaml"}
        assert files == set(kustomization["resources"]), f"{base}: {files} are not what kustomization.yaml names"
        for name in kustomization["resources"]:
            for resource in load(os.path.join(base, name)):
                yield f"{base}/{name}", resource


def workloads():
    for path, resource in resources():
        if resource["kind"] in ("Deployment", "StatefulSet"):
            yield path, resource


def livedelta(pod):
    (container,) = [c for c in pod.get("initContainers", []) + pod["containers"] if c["name"] == "livedelta"]
    return container


def kubernetes_resources_belong_together():
    kinds = {"Deployment": "apps/v1", "StatefulSet": "apps/v1", "Service": "v1", "NetworkPolicy": "networking.k8s.io/v1",
             "PodDisruptionBudget": "policy/v1"}
    labels = {path.rpartition("/")[0]: resource["spec"]["template"]["metadata"]["labels"] for path, resource in workloads()}
    ports = {path.rpartition("/")[0]: {port["name"] for port in livedelta(resource["spec"]["template"]["spec"])["ports"]}
             for path, resource in workloads()}
    for path, resource in resources():
        folder, spec = path.rpartition("/")[0], resource["spec"]
        assert resource["apiVersion"] == kinds[resource["kind"]], path
        assert re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", resource["metadata"]["name"]), path
        selector = spec.get("selector", spec.get("podSelector"))
        assert selector.get("matchLabels", selector).items() <= labels[folder].items(), f"{path}: it selects no pod"
        if resource["kind"] == "Service":
            assert {port["targetPort"] for port in spec["ports"]} == {"http"}, f"{path}: only http is for others"
        for rule in spec.get("ingress", []):
            assert {port["port"] for port in rule["ports"]} <= ports[folder] and rule["from"], path


def kubernetes_probes_ask_the_server():
    routes = read("docs/auth.md")
    for path, resource in workloads():
        container = livedelta(resource["spec"]["template"]["spec"])
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        listens = [argument.partition("=") for argument in container["args"][1:]]
        assert container["args"][0] == "serve" and {name for name, _, _ in listens} <= options(), path
        values = {}
        for name, _, value in listens:
            values.setdefault(name, []).append(value)
        assert values["--ops"] == [f"0.0.0.0:{ports['ops']}"], path
        assert f"0.0.0.0:{ports['http']}" in values["--listen"], path
        for probe, route in (("startupProbe", "/readyz"), ("readinessProbe", "/readyz"), ("livenessProbe", "/livez")):
            assert container[probe]["httpGet"] == {"path": route, "port": "ops"}, f"{path}: {probe}"
            assert f"| operations | `GET`, `HEAD`, `OPTIONS` | `{route}` | – |" in routes, route
        assert container["readinessProbe"]["periodSeconds"] * container["readinessProbe"]["failureThreshold"] \
            < settings()["drain"]["delaySeconds"], f"{path}: it is taken out later than it stops accepting"


def kubernetes_pods_are_restricted():
    """As the Pod Security Standards' level restricted wants it, and a root that cannot be written."""
    for path, resource in workloads():
        pod = resource["spec"]["template"]["spec"]
        assert pod["automountServiceAccountToken"] is False, path
        assert pod["terminationGracePeriodSeconds"] >= drain_seconds() + 10, path
        security = pod["securityContext"]
        assert security["runAsNonRoot"] is True and security["seccompProfile"] == {"type": "RuntimeDefault"}, path
        volumes = {volume["name"] for volume in pod["volumes"]}
        volumes |= {claim["metadata"]["name"] for claim in resource["spec"].get("volumeClaimTemplates", [])}
        for container in pod.get("initContainers", []) + pod["containers"]:
            assert container["securityContext"] == UNPRIVILEGED, f"{path}: {container['name']}"
            assert {mount["name"] for mount in container.get("volumeMounts", [])} <= volumes, f"{path}: {container['name']}"
        assert livedelta(pod)["resources"]["limits"]["memory"] == "1Gi", path


def replicas_share_one_database():
    """Each has all it keeps in the database of the secret, and only one at a time is away."""
    parts = {resource["kind"]: resource["spec"] for path, resource in resources() if "/replicas/" in path}
    deployment, container = parts["Deployment"], livedelta(parts["Deployment"]["template"]["spec"])
    environment = {entry["name"]: entry for entry in container["env"]}
    secret = environment["LIVEDELTA_DATA"]["valueFrom"]["secretKeyRef"]
    (keys,) = deployment["template"]["spec"]["volumes"]
    assert secret == {"name": keys["secret"]["secretName"], "key": "data"}
    assert {entry["key"] for entry in keys["secret"]["items"]} == {"keys"}
    assert not any(argument.startswith("--data") for argument in container["args"])
    assert deployment["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert parts["PodDisruptionBudget"]["maxUnavailable"] < deployment["replicas"]
    assert "sessionAffinity" not in parts["Service"]
    (compose,) = load("examples/cluster/compose.yaml")
    (single,) = load("deploy/compose/compose.yaml")
    for name in "abc":
        replica = compose["services"][name]
        for member in ("read_only", "cap_drop", "security_opt", "mem_limit", "stop_grace_period", "healthcheck"):
            assert replica[member] == single["services"]["livedelta"][member], f"{name}: {member}"
        assert f"server {name}:8080 max_fails=0;" in read("examples/cluster/nginx.conf")


def the_image_is_what_the_manifests_expect():
    dockerfile = read("Dockerfile")
    user, group = re.search(r"^USER (\d+):(\d+)$", dockerfile, re.MULTILINE).groups()
    volume = re.search(r"^VOLUME (\S+)$", dockerfile, re.MULTILINE).group(1)
    program = json.loads(re.search(r"^ENTRYPOINT (.*)$", dockerfile, re.MULTILINE).group(1))[0]
    for path, resource in workloads():
        pod = resource["spec"]["template"]["spec"]
        security = pod["securityContext"]
        assert [str(security[name]) for name in ("runAsUser", "runAsGroup", "fsGroup")] == [user, group, group], path
        mounts = {mount["name"]: mount["mountPath"] for mount in livedelta(pod)["volumeMounts"]}
        if "data" in mounts:
            assert mounts["data"] == volume and f"--data={volume}" in livedelta(pod)["args"], path
    (compose,) = load("deploy/compose/compose.yaml")
    service = compose["services"]["livedelta"]
    assert service["healthcheck"]["test"] == ["CMD", program, "check"]
    assert service["volumes"] == [f"data:{volume}"] and service["read_only"] and service["cap_drop"] == ["ALL"]
    assert int(service["stop_grace_period"].rstrip("s")) >= drain_seconds() + 10
    assert {name for name in service["environment"]} == {"LIVEDELTA_AUTH_KEYS_FILE"}
    assert set(service["secrets"]) <= set(compose["secrets"])


def the_unit_matches_the_server_and_is_sandboxed():
    unit = read("deploy/systemd/livedelta.service")
    command = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE).group(1).split()
    assert command[1] == "serve" and {word for word in command if word.startswith("--")} <= options()
    assert int(re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE).group(1)) >= drain_seconds() + 10
    if not os.path.exists("/usr/bin/systemd-analyze"):
        return
    path = os.path.join(ROOT, "deploy/systemd/livedelta.service")
    said = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", path], capture_output=True, text=True).stdout
    score = float(re.search(r"exposure level for livedelta.service: ([0-9.]+)", said).group(1))
    assert score <= 1.5, f"systemd-analyze security says {score}"


def proxies_wait_longer_than_the_service():
    limits, timeouts = settings()["limits"], settings()["timeouts"]
    ping = 120  # the most that a stream may ask for
    patience = {
        "nginx.conf": r"proxy_(?:read|send)_timeout (\d+)s", "haproxy.cfg": r"timeout (?:client|server) (\d+)s",
        "Caddyfile": r"read_timeout (\d+)s", "envoy.yaml": r"stream_idle_timeout: (\d+)s"}
    for name, pattern in patience.items():
        text = read(f"deploy/proxy/{name}") + (read("examples/cluster/nginx.conf") if name == "nginx.conf" else "")
        found = [int(value) for value in re.findall(pattern, text)]
        assert found and min(found) > max(limits["waitSecondsMax"], ping), f"{name}: {found}"
    idle = {"nginx.conf": r"keepalive_timeout (\d+)s", "Caddyfile": r"keepalive (\d+)s", "envoy.yaml": r"idle_timeout: (\d+)s \}"}
    for name, pattern in idle.items():
        (found,) = [int(value) for value in re.findall(pattern, read(f"deploy/proxy/{name}"))]
        assert found < timeouts["idleSeconds"], f"{name}: {found}"
    body = int(re.search(r"client_max_body_size (\d+)m", read("deploy/proxy/nginx.conf")).group(1)) << 20
    assert body == limits["bodyBytesMax"]
    load("deploy/proxy/envoy.yaml")


TESTS = [
    kubernetes_resources_belong_together, kubernetes_probes_ask_the_server, kubernetes_pods_are_restricted,
    replicas_share_one_database, the_image_is_what_the_manifests_expect,
    the_unit_matches_the_server_and_is_sandboxed, proxies_wait_longer_than_the_service,
]
