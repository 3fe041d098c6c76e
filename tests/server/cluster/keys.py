# SPDX-License-Identifier: MIT
"""Certificates, nkeys and credentials for tests, which openssl makes."""
import base64
import binascii
import json
import os
import subprocess
import time


def openssl(folder, *words, data=None):
    return subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, input=data).stdout


def make_certificate(folder, name, issuer, extra=""):
    """NAME.key and NAME.pem, signed by ISSUER; by itself where that is the same."""
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key",
            "-out", f"{name}.csr", "-subj", f"/CN={name}")
    with open(os.path.join(folder, "extra"), "w", encoding="utf-8") as file:
        file.write(extra)
    signer = ["-signkey", f"{name}.key"] if name == issuer else \
        ["-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key", "-CAcreateserial"]
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", *signer, "-out", f"{name}.pem", "-days", "2", "-extfile", "extra")


class Nkey:
    """A key pair of NATS: ed25519, in base 32 with a prefix and a checksum. Prefixes: operator 14, account 0, user 20."""

    def __init__(self, folder, name, prefix):
        self.folder, self.path = folder, f"{name}.ed25519"
        openssl(folder, "genpkey", "-algorithm", "ed25519", "-out", self.path)
        seed = openssl(folder, "pkey", "-in", self.path, "-outform", "DER")[-32:]
        public = openssl(folder, "pkey", "-in", self.path, "-pubout", "-outform", "DER")[-32:]
        kind = prefix << 3
        self.public = self.encode(bytes([kind]) + public)
        self.seed = self.encode(bytes([18 << 3 | kind >> 5, (kind & 31) << 3]) + seed)

    @staticmethod
    def encode(data):
        checksum = binascii.crc_hqx(data, 0).to_bytes(2, "little")
        return base64.b32encode(data + checksum).decode().rstrip("=")

    def token(self, subject, **claims):
        """A JWT of this key about another one."""
        def part(value):
            return base64.urlsafe_b64encode(value if isinstance(value, bytes) else json.dumps(value).encode()).rstrip(b"=")
        text = part({"typ": "JWT", "alg": "ed25519-nkey"}) + b"." + part(
            {"jti": subject.public, "iat": int(time.time()), "iss": self.public, "name": subject.path,
             "sub": subject.public, "nats": {"version": 2, **claims}})
        with open(os.path.join(self.folder, "text"), "wb") as file:
            file.write(text)
        return (text + b"." + part(openssl(self.folder, "pkeyutl", "-sign", "-inkey", self.path, "-rawin", "-in",
                                           "text"))).decode()


ANYTHING = {name: -1 for name in ("subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage",
                                  "disk_storage", "streams", "consumer")} | {"wildcards": True}
NO_STREAMS = {name: 0 for name in ("mem_storage", "disk_storage", "streams", "consumer")}  # of the system's account


def with_creds(folder):
    """@return a server's settings with an operator, and the options of a user"""
    operator, system, account = (Nkey(folder, name, prefix) for name, prefix in (("op", 14), ("sys", 0), ("acc", 0)))
    user = Nkey(folder, "user", 20)
    preload = [f"{one.public}: {operator.token(one, type='account', limits={**ANYTHING, **more})}"
               for one, more in ((system, NO_STREAMS), (account, {}))]
    token = account.token(user, type="user", pub={}, sub={}, subs=-1, data=-1, payload=-1)
    with open(os.path.join(folder, "user.creds"), "w", encoding="utf-8") as file:
        file.write(f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
                   f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n")
    return (f"operator: {operator.token(operator, type='operator')}\nsystem_account: {system.public}\n"
            "resolver: MEMORY\nresolver_preload: { " + "\n".join(preload) + " }\n",
            ["--nats-creds", os.path.join(folder, "user.creds")])
