#!/bin/bash
# Ranks on several nodes of a Slurm cluster, over sockets: no MPI is needed.
# Submit with: sbatch examples/clusters/slurm-tcp.sh
#SBATCH --job-name=cobre
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --time=00:10:00

# Rank and size come from SLURM_PROCID and SLURM_NTASKS; the coordinator is the first node of
# SLURM_NODELIST. tcp must be named, because a Slurm step looks like an MPI job.
export COBRE_COMM_BACKEND=tcp

# A port that no other job on this node uses, and a secret that only the ranks know.
export COBRE_TCP_PORT=$((20000 + SLURM_JOB_ID % 10000))
COBRE_TCP_TOKEN=$(head -c 24 /dev/urandom | base64)
export COBRE_TCP_TOKEN

# Ranks that compute for minutes between two collectives need more than the default of 60 seconds.
export COBRE_TCP_TIMEOUT_SECS=600

srun node examples/pi.mjs
