import type { RpcRequest } from '../../jsonrpc';
import { ProtocolError } from '../../protocol-error';
import type { CoreRequest } from '../core/requests';
import type { Dialect } from './dialect';
import { legacySystems, v01, v02, v03, v03Rest, v10 } from './registry';
import type { RestVersion } from './transcode-rest';
import type { LegacySystem } from './v01/variants';

/** The dialect at a legacy system's path. */
export function legacySystemDialect(system: LegacySystem): Dialect {
  return legacySystems[system];
}

/** The dialect of a caller that uses client-chosen task ids. */
export function legacyDialect(): Dialect {
  return v01;
}

/** The dialect of the response if the method could not be read: by version header or query, else 0.3. */
export function fallbackDialect(version: string): Dialect {
  if (isVersion01(version)) return v01;
  return version.startsWith('1.') ? v10 : v03;
}

/**
 * The dialect of a request, by its method. `A2A-Version` (header, then query) must be a supported version.
 * @throws {ProtocolError} `version_not_supported`, `method_not_found`
 */
export function chooseDialect(method: string, version: string): Dialect {
  requireKnownVersion(version);
  if (Object.hasOwn(v10.methods, method)) return v10;
  if (isVersion01(version) && Object.hasOwn(v01.methods, method)) return v01;
  if (Object.hasOwn(v03.methods, method)) return v03;
  if (Object.hasOwn(v01.methods, method)) return v01;
  throw new ProtocolError('method_not_found', `Unknown method "${method.slice(0, 100)}".`);
}

function requireKnownVersion(version: string): void {
  if (!/^(?:|0\.[123](?:\.\d+)?|1\.0(?:\.\d+)?)$/.test(version)) {
    throw new ProtocolError(
      'version_not_supported',
      `A2A-Version "${version.slice(0, 20)}" is not supported. Use 1.0, 0.3 or 0.1.`,
    );
  }
}

/**
 * The dialect of a path of the HTTP binding. `A2A-Version` must be a supported version. 0.2 has no such binding, only
 * one path with the JSON of JSON-RPC.
 * @throws {ProtocolError} `version_not_supported`
 */
export function restDialect(pathVersion: RestVersion, version: string): Dialect {
  requireKnownVersion(version);
  if (pathVersion === '0.2') return v02;
  return pathVersion === '1.0' ? v10 : v03Rest;
}

function isVersion01(version: string): boolean {
  return version === '0.1' || version.startsWith('0.1.');
}

/**
 * Decodes the params of a request in its dialect.
 * @throws {ProtocolError} `method_not_found`, `invalid_params`
 */
export function readRequest(dialect: Dialect, { method, params }: RpcRequest): CoreRequest {
  const decode = dialect.methods[method];
  if (decode && Object.hasOwn(dialect.methods, method)) return decode(params);
  throw new ProtocolError('method_not_found', `method not found: ${method.slice(0, 200)}`);
}
