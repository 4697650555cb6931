import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy between browser and server that a test can cut: nothing passes and neither end is notified, as in a tunnel.
 * After it is restored, old connections are dead and new ones work.
 */
export class Network {
  private readonly open = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly target: () => number,
  ) {}

  /** Listens on `port` of the loopback and forwards to the port that `target` currently returns. */
  static async start(port: number, target: () => number): Promise<Network> {
    const server = createServer({ pauseOnConnect: true });
    const network = new Network(server, target);
    server.on('connection', (near) => network.carry(near));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return network;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.open) socket.pause();
  }

  restore(): void {
    this.isCut = false;
    for (const socket of this.open) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private carry(near: Socket): void {
    this.track(near);
    if (this.isCut) return;
    const far = connect(this.target(), '127.0.0.1');
    this.track(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (data) => to.write(data));
      from.on('end', () => to.end());
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
    if (!this.isCut) near.resume();
  }

  private track(socket: Socket): void {
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
  }
}
