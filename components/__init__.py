"""KFP components, one folder for each stage; every body is one call of the library.

`install_kfp_package=False` on our own image: the same component runs as a container in a cluster and as a process here.
"""

import os

IMAGE = os.environ.get("HAT_IMAGE", "ghcr.io/hat-platform/trainer:0.1.0")
"""The trainer image; HAT_IMAGE at compile time takes another, best by digest."""
