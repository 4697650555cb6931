// node scripts/check-images.mjs [--pin] [file…]: rejects images of deploy/ with a tag but without a digest, if their
// registry is reachable, because a tag may later refer to another image. With --pin, adds the digests to the files.
import { readFileSync, writeFileSync } from 'node:fs';
import { CliError, runMain } from './cli-output.mjs';

const FILES = ['deploy/container/Containerfile', 'deploy/compose/compose.yaml'];
const TIMEOUT_MS = 10_000;
/**
 * Media types of manifests, with indexes of several platforms first, because the digest of a single platform would not
 * run on the others.
 */
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
/** Matches a full name with a tag, and the digest if there is one. Our own image has no registry and is built here. */
const IMAGE =
  /\b((?:[a-z0-9-]+\.[a-z0-9.-]+|localhost)(?::\d+)?)\/([a-z0-9][a-z0-9._/-]*):([\w.-]+)(@sha256:[0-9a-f]{64})?/g;

/**
 * Returns the images of a Containerfile or compose file.
 *
 * @param {string} text
 * @returns {{ name: string, registry: string, repository: string, tag: string, digest: string | null }[]}
 */
function imagesIn(text) {
  const lines = text.split('\n').filter((line) => /^\s*(ARG \w*IMAGE=|FROM |image:)/.test(line));
  return lines.flatMap((line) =>
    [...line.matchAll(IMAGE)].map(([, registry, repository, tag, digest]) => ({
      name: `${registry}/${repository}:${tag}`,
      ...{ registry, repository, tag },
      digest: digest?.slice(1) ?? null,
    })),
  );
}

/** Returns the digest of a tag in the registry; null if the registry cannot be reached. */
async function findDigest({ registry, repository, tag, name }) {
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  const scheme = /^(localhost|127\.0\.0\.1)(:|$)/.test(host) ? 'http' : 'https';
  const url = `${scheme}://${host}/v2/${repository}/manifests/${tag}`;
  const ask = (headers) =>
    fetch(url, { method: 'HEAD', headers: { accept: MANIFESTS, ...headers }, signal: AbortSignal.timeout(TIMEOUT_MS) });
  let response;
  try {
    response = await ask({});
    if (response.status === 401) response = await ask({ authorization: `Bearer ${await fetchToken(response)}` });
  } catch {
    return null;
  }
  const digest = response.headers.get('docker-content-digest');
  if (response.ok && /^sha256:[0-9a-f]{64}$/.test(digest ?? '')) return digest;
  throw new CliError(
    `${name}: the registry responded ${response.status} and the digest ${digest}; expected 200 and sha256:…`,
  );
}

/** Fetches an anonymous token, as the challenge of a registry requests. */
async function fetchToken(response) {
  const challenge = response.headers.get('www-authenticate') ?? '';
  const members = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
  const { realm, ...query } = members;
  const answer = await fetch(`${realm}?${new URLSearchParams(query)}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { token, access_token: accessToken } = await answer.json();
  return token ?? accessToken;
}

async function checkFile(file, isPinning) {
  const text = readFileSync(file, 'utf8');
  const unpinned = new Map(
    imagesIn(text)
      .filter(({ digest }) => !digest)
      .map((image) => [image.name, image]),
  );
  const faults = [];
  let pinned = text;
  for (const image of unpinned.values()) {
    const digest = await findDigest(image);
    if (digest === null) console.warn(`${file}: ${image.name} has no digest, and its registry cannot be reached`);
    else if (isPinning) pinned = pinned.replaceAll(image.name, `${image.name}@${digest}`);
    else faults.push(`${file}: found ${image.name}; expected ${image.name}@${digest}`);
  }
  if (pinned !== text) writeFileSync(file, pinned);
  return faults;
}

await runMain(async () => {
  const args = process.argv.slice(2);
  const files = args.filter((arg) => arg !== '--pin');
  const faults = [];
  for (const file of files.length > 0 ? files : FILES) faults.push(...(await checkFile(file, args.includes('--pin'))));
  if (faults.length > 0) throw new CliError(`${faults.join('\n')}\nRun it with --pin to add the digests.`);
});
