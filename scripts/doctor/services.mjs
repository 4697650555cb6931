import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { probePort } from '../processes.mjs';
import { fail, ok, textOf, warn } from './finding.mjs';

const TIMEOUT_MS = 5_000;
const MIN_CERTIFICATE_DAYS = 14;
const DAY_MS = 86_400_000;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** @returns {Promise<import('./finding.mjs').Finding>} */
export async function checkPort() {
  const { PORT, HOST } = process.env;
  const at = `${HOST}:${PORT}`;
  const state = await probePort({ port: Number(PORT), host: HOST });
  if (state === 'free') return ok(`${at} is free`);
  if (state !== 'taken') return fail(`this user may not use port ${PORT}`, 'choose a port above 1023');
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  const response = await fetch(`http://${host}:${PORT}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => null,
  );
  const body = await response?.json().catch(() => null);
  if (body?.status) return ok(`a node serves at ${at}`);
  return fail(`another program uses ${at}`, 'stop it, or choose another PORT');
}

/** @returns {Promise<import('./finding.mjs').Finding>} */
export async function checkAddress() {
  const url = new URL(process.env.APP_URL);
  const isLocal = LOOPBACK.includes(url.hostname);
  if (url.protocol === 'http:' && !isLocal)
    return fail(`APP_URL: ${url.origin} is not encrypted`, 'set it to the https origin that users open');
  try {
    const expires = url.protocol === 'https:' ? await certificateEnd(url) : null;
    const days = expires === null ? null : Math.floor((expires - Date.now()) / DAY_MS);
    if (days !== null && days < MIN_CERTIFICATE_DAYS)
      return warn(`APP_URL: the certificate of ${url.host} ends in ${days} days`, 'renew it');
    const response = await fetch(`${url.origin}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) return warn(`APP_URL: ${url.origin}/healthz responds ${response.status}`, 'check the proxy');
    return ok(`APP_URL: ${url.origin} responds${days === null ? '' : `; its certificate is valid for ${days} days`}`);
  } catch (error) {
    const reason = textOf(error.cause ?? error);
    return warn(
      `APP_URL: ${url.origin} does not respond (${reason})`,
      'expected before the first start; otherwise check DNS, proxy and certificate',
    );
  }
}

/**
 * Returns the expiry time of the certificate at an address, milliseconds since 1970. Rejects if the certificate is not
 * trusted.
 */
function certificateEnd({ hostname, port }) {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: hostname, port: Number(port || 443), servername: hostname, timeout: TIMEOUT_MS });
    socket.once('secureConnect', () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error('no response within 5 s')));
    socket.once('error', reject);
  });
}

/** @returns {import('./finding.mjs').Finding} */
export function checkProxies() {
  const { APP_URL = '', TRUSTED_PROXIES } = process.env;
  if (!APP_URL.startsWith('https:') || TRUSTED_PROXIES) return ok(`TRUSTED_PROXIES: ${TRUSTED_PROXIES || 'none'}`);
  return warn(
    'TRUSTED_PROXIES is empty, while APP_URL is https',
    'set it to the addresses of the proxy: otherwise all callers share the rate limits of its address',
  );
}

/** @returns {import('./finding.mjs').Finding} */
export function checkStripe() {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secrets = '', APP_URL = '' } = process.env;
  if (!key) return ok('off; wallets contain test credits');
  if (!/^[sr]k_(live|test)_/.test(key))
    return fail(
      'STRIPE_SECRET_KEY: not a secret or restricted key',
      'expected sk_live_…, rk_live_…, sk_test_… or rk_test_…',
    );
  if (!secrets.split(',').every((secret) => secret.trim().startsWith('whsec_')))
    return fail('STRIPE_WEBHOOK_SECRET: not a signing secret', 'expected whsec_…, from the settings of the webhook');
  const isTest = key.includes('_test_');
  if (isTest && APP_URL.startsWith('https:')) return warn('test mode; no real money', 'expected for a trial only');
  return ok(`${isTest ? 'test' : 'live'} mode`);
}

/**
 * @param {string[]} urls the servers of NOTICES_URL
 * @returns {Promise<import('./finding.mjs').Finding>}
 */
export async function checkNotices(urls) {
  if (urls.length === 0) return ok("PostgreSQL's NOTIFY");
  const failures = await natsFailures(urls);
  if (failures.length === 0) return ok(`NOTICES_URL: ${urls.length} NATS servers respond`);
  return warn(`NOTICES_URL: ${failures.join('; ')}`, 'start NATS there; until then nodes use NOTIFY and poll');
}

/**
 * Returns the failures of the servers that do not respond as NATS does.
 *
 * @param {string[]} urls
 * @returns {Promise<string[]>}
 */
export async function natsFailures(urls) {
  return (await Promise.all(urls.map(natsFailure))).filter((failure) => failure !== null);
}

/** Returns null if a NATS server responds at the URL, otherwise the failure. */
function natsFailure(url) {
  const { hostname, port } = new URL(url);
  const at = `${hostname}:${port || 4222}`;
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 4222), timeout: TIMEOUT_MS });
    const settle = (failure) => {
      socket.destroy();
      resolve(failure);
    };
    socket.once('data', (greeting) => settle(String(greeting).startsWith('INFO ') ? null : `${at} is not NATS`));
    socket.once('timeout', () => settle(`${at} does not respond within 5 s`));
    socket.once('error', (error) => settle(`${at} does not respond (${textOf(error)})`));
  });
}
