import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * The wire between a browser and a server, which a test can cut: then nothing passes and nobody is told, as when a train
 * enters a tunnel. When it is mended, what was open before is dead, and new connections pass.
 */
export class Network {
  private readonly open = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly target: () => number,
  ) {}

  /** Listens on `port` of the loopback and passes everything on to the port that `target` names at that time. */
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

  mend(): void {
    this.isCut = false;
    for (const socket of this.open) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private carry(near: Socket): void {
    this.keep(near);
    if (this.isCut) return;
    const far = connect(this.target(), '127.0.0.1');
    this.keep(far);
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

  private keep(socket: Socket): void {
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
  }
}
