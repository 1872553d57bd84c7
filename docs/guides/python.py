"""Calls Vitrine with a bound API key: a DPoP proof for each request, and an idempotency key for each write."""
import base64, hashlib, json, os, random, time, urllib.error, urllib.request, uuid
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

def encoded(data):
    return base64.urlsafe_b64encode(data if isinstance(data, bytes) else json.dumps(data).encode()).rstrip(b"=").decode()

class Refusal(Exception):
    """The answer has the code, the outcome and what to do next."""
    def __init__(self, answer):
        super().__init__(f"{answer['code']}: {answer['message']}")
        self.answer = answer

class Vitrine:
    def __init__(self, url, key, jwk):
        self.url, self.key, self.nonce = url.rstrip("/"), key, None
        self.public = {name: jwk[name] for name in ("crv", "kty", "x", "y")}
        number = int.from_bytes(base64.urlsafe_b64decode(jwk["d"] + "=="), "big")
        self.private = ec.derive_private_key(number, ec.SECP256R1())

    def proof(self, method, url):
        claims = {"htm": method, "htu": url, "jti": str(uuid.uuid4()), "iat": int(time.time()),
                  "ath": encoded(hashlib.sha256(self.key.encode()).digest())}
        if self.nonce:
            claims["nonce"] = self.nonce
        signed = encoded({"typ": "dpop+jwt", "alg": "ES256", "jwk": self.public}) + "." + encoded(claims)
        r, s = utils.decode_dss_signature(self.private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return signed + "." + encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))

    def send(self, method, path, body, idempotency_key):
        url = self.url + path
        headers = {"Authorization": f"DPoP {self.key}", "DPoP": self.proof(method, url.split("?")[0])}
        if method != "GET":
            headers |= {"Content-Type": "application/json", "Idempotency-Key": idempotency_key}
        data = None if body is None else json.dumps(body).encode()
        try:
            response = urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=15)
        except urllib.error.HTTPError as error:
            response = error
        self.nonce = response.headers.get("DPoP-Nonce") or self.nonce
        return json.loads(response.read())

    def call(self, method, path, body=None, idempotency_key=None):
        idempotency_key = idempotency_key or str(uuid.uuid4())
        for attempt in range(5):
            try:
                answer = self.send(method, path, body, idempotency_key)
            except (OSError, ValueError):  # No answer, or not one of Vitrine: the same key has no second effect.
                if attempt == 4: raise
                answer = {"retry": {"advice": "same_key", "afterMs": 250 * 2 ** attempt}}
            if "data" in answer: return answer if "meta" in answer else answer["data"]
            if answer["retry"]["advice"] != "same_key" or attempt == 4: raise Refusal(answer)
            time.sleep((answer["retry"]["afterMs"] or 0) / 1000 * (1 + random.random() / 2))
