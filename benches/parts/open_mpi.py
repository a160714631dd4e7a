"""What Open MPI needs in containers."""
import os

#: They run as root, and do not let processes copy each other's memory.
IN_CONTAINERS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
ENVIRONMENT = {**os.environ, **IN_CONTAINERS}
