"""Runs the tests of deploy/; see `scripts/test deploy --help`."""

import shutil
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import authorities
import edge
import edges
import example
import manifests
import outages
import proxies


def run(name, test, *arguments):
    """Whether a test passes; says so."""
    start = time.monotonic()
    try:
        test(*arguments)
    except Exception:  # pylint: disable=broad-except
        print(f"✘ {name}\n{traceback.format_exc()}", flush=True)
        return False
    print(f"✔ {name} ({time.monotonic() - start:.1f} s)", flush=True)
    return True


def main(arguments):
    is_quick, filters = "--quick" in arguments, [word for word in arguments if word != "--quick"]
    wanted = ["nginx", "haproxy"] + ([] if is_quick else ["caddy", "envoy"])
    kinds = [proxy for proxy in wanted if shutil.which(proxy)]
    for absent in set(wanted).difference(kinds):
        print(f"{absent}: left out, it cannot be had", flush=True)
    tests = [(test.__name__.replace("_", " "), test) for test in manifests.TESTS + example.TESTS + outages.TESTS
             + authorities.TESTS]
    tests += [(f"{proxy}: {test.__name__.replace('_', ' ')}", test, proxy)
              for test in proxies.TESTS for proxy in kinds]
    wanted = ["nginx"] if is_quick else list(edges.KINDS)
    caches = [cache for cache in wanted if cache in edges.installed()]
    for absent in set(wanted).difference(caches):
        print(f"{absent} as a cache: left out, it cannot be had", flush=True)
    tests += [(f"{cache} as a cache: {test.__name__.replace('_', ' ')}", test, cache)
              for test in edge.TESTS for cache in caches]
    tests = [test for test in tests if not filters or any(text in test[0] for text in filters)]
    # Most of their time they wait.
    with ThreadPoolExecutor(4) as pool:
        passed = list(pool.map(lambda test: run(*test), tests))
    print(f"deploy: {sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return 0 if passed and all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
