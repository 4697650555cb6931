import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { createGrpcServer, type GrpcMethod, type GrpcServer } from '../http/grpc/grpc-server';
import { healthMethods } from '../http/grpc/health';
import { reflectionMethods } from '../http/grpc/reflection';
import { LISTEN_BACKLOG } from '../http/limits';
import { env } from '../platform/runtime/env';
import { a2aGrpcMethods } from '../tasks/endpoints';

/** Every method that the gRPC server serves, by path. */
const grpcMethods: ReadonlyMap<string, GrpcMethod> = new Map(
  (
    [
      ['calls', a2aGrpcMethods],
      ['critical', healthMethods],
      ['background', reflectionMethods],
    ] as const
  ).flatMap(([priority, methods]) =>
    Object.entries(methods).map(([path, serve]): [string, GrpcMethod] => [path, { serve, priority }]),
  ),
);

/** Starts the gRPC server on `GRPC_PORT`; null without one. */
export async function startGrpc(): Promise<GrpcServer | null> {
  const { GRPC_PORT, HOST, GRPC_CERT_FILE, GRPC_KEY_FILE } = env();
  if (GRPC_PORT === undefined) return null;
  const tls =
    GRPC_CERT_FILE && GRPC_KEY_FILE
      ? { cert: readFileSync(GRPC_CERT_FILE), key: readFileSync(GRPC_KEY_FILE) }
      : undefined;
  const grpc = createGrpcServer(grpcMethods, tls);
  await listen(grpc.server, { port: GRPC_PORT, host: HOST, backlog: LISTEN_BACKLOG });
  return grpc;
}

function listen(server: Server, options: { port: number; host: string; backlog: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
