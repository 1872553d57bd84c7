<?php
/** Calls Vitrine with a bound API key: a DPoP proof for each request, and an idempotency key for each write. */
function encoded(string|array $data): string {
    $bytes = is_array($data) ? json_encode($data, JSON_UNESCAPED_SLASHES) : $data;
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}
function decoded(string $text): string {
    return base64_decode(strtr($text, '-_', '+/'));
}

/** The answer has the code, the outcome and what to do next. */
class Refusal extends Exception {
    public function __construct(public readonly array $answer) { parent::__construct("{$answer['code']}: {$answer['message']}"); }
}

class Vitrine {
    private ?string $nonce = null;
    private OpenSSLAsymmetricKey $private;

    public function __construct(private string $url, private string $key, private array $jwk) {
        [$d, $x, $y] = array_map('decoded', [$jwk['d'], $jwk['x'], $jwk['y']]);
        // An EC private key on P-256, RFC 5915.
        $der = hex2bin('30770201010420') . $d . hex2bin('a00a06082a8648ce3d030107a14403420004') . $x . $y;
        $pem = "-----BEGIN EC PRIVATE KEY-----\n" . chunk_split(base64_encode($der), 64, "\n") . "-----END EC PRIVATE KEY-----\n";
        $this->private = openssl_pkey_get_private($pem);
    }

    private function proof(string $method, string $url): string {
        $jwk = array_intersect_key($this->jwk, array_flip(['crv', 'kty', 'x', 'y']));
        $claims = ['htm' => $method, 'htu' => $url, 'jti' => bin2hex(random_bytes(16)), 'iat' => time(),
            'ath' => encoded(hash('sha256', $this->key, true))] + ($this->nonce ? ['nonce' => $this->nonce] : []);
        $signed = encoded(['typ' => 'dpop+jwt', 'alg' => 'ES256', 'jwk' => $jwk]) . '.' . encoded($claims);
        openssl_sign($signed, $der, $this->private, OPENSSL_ALGO_SHA256);
        // Two integers in DER, each after its length; a JWS has 32 bytes of each.
        $r = substr($der, 4, ord($der[3]));
        $s = substr($der, 6 + ord($der[3]));
        $fixed = fn (string $number): string => str_pad(ltrim($number, "\0"), 32, "\0", STR_PAD_LEFT);
        return $signed . '.' . encoded($fixed($r) . $fixed($s));
    }

    public function call(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array {
        $idempotencyKey ??= bin2hex(random_bytes(16));
        for ($attempt = 0; ; $attempt++) {
            $headers = ["Authorization: DPoP $this->key", 'DPoP: ' . $this->proof($method, strtok($this->url . $path, '?'))];
            if ($method !== 'GET') array_push($headers, 'Content-Type: application/json', "Idempotency-Key: $idempotencyKey");
            $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'timeout' => 15];
            $content = $body === null ? [] : ['content' => json_encode((object) $body)];
            $stream = @fopen($this->url . $path, 'r', false, stream_context_create(['http' => $http + $content]));
            $text = $stream ? @stream_get_contents($stream) : '';
            foreach ($stream ? stream_get_meta_data($stream)['wrapper_data'] : [] as $line) if (stripos($line, 'dpop-nonce:') === 0) $this->nonce = trim(substr($line, 11));
            // No answer, or not one of Vitrine: the same key has no second effect.
            $none = ['code' => 'no_answer', 'message' => 'Nothing answered.', 'retry' => ['advice' => 'same_key', 'afterMs' => 250 * 2 ** $attempt]];
            $answer = json_decode($text ?: '', true) ?? $none;
            if (isset($answer['data'])) return isset($answer['meta']) ? $answer : $answer['data'];
            if ($attempt === 4 || $answer['retry']['advice'] !== 'same_key') throw new Refusal($answer);
            usleep((int) (($answer['retry']['afterMs'] ?? 0) * random_int(1000, 1500)));
        }
    }
}
