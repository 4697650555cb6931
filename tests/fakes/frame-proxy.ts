import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';

/** A frame on its way through the proxy. */
export interface PassingFrame {
  from: 'worker' | 'hub';
  /** The method; `response` for the answer to a request. */
  method: string;
  text: string;
}

/** `lose`: breaks the connection instead of passing the frame on. `cut`: passes it on, then breaks the connection. */
export type FrameFate = 'pass' | 'lose' | 'cut';

/** A proxy between workers and the hub that breaks connections at the boundary of a frame. */
export class FrameProxy {
  /** Every frame that arrived here, in order. */
  readonly frames: PassingFrame[] = [];
  onFrame: (frame: PassingFrame) => FrameFate = () => 'pass';
  private readonly sockets = new Set<WebSocket>();

  private constructor(
    private readonly server: WebSocketServer,
    private readonly target: string,
  ) {
    server.on('connection', (near) => this.connect(near));
  }

  /** Opens a proxy to the Parley at `target`. */
  static async start(target: string): Promise<FrameProxy> {
    const server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      path: '/ws/agents',
      handleProtocols: (offered) => [...offered][0] ?? false,
    });
    await once(server, 'listening');
    return new FrameProxy(server, target);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Breaks every connection. New ones work. */
  cut(): void {
    for (const socket of this.sockets) socket.terminate();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private connect(near: WebSocket): void {
    const far = new WebSocket(`${this.target.replace('http', 'ws')}/ws/agents`, near.protocol);
    const opened = once(far, 'open').catch(() => near.terminate());
    const end = (): void => {
      near.terminate();
      far.terminate();
    };
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    }
    near.on('close', () => far.terminate());
    far.on('close', (code, reason) => {
      // 1005 and 1006 cannot be sent.
      if (code === 1005 || code === 1006) near.terminate();
      else near.close(code, reason);
    });
    near.on(
      'message',
      (data) => void opened.then(() => this.pass({ from: 'worker', to: far, text: String(data), end })),
    );
    far.on('message', (data) => this.pass({ from: 'hub', to: near, text: String(data), end }));
  }

  private pass({
    from,
    to,
    text,
    end,
  }: Pick<PassingFrame, 'from' | 'text'> & { to: WebSocket; end: () => void }): void {
    if (to.readyState !== WebSocket.OPEN) return;
    const { method = 'response' } = JSON.parse(text) as { method?: string };
    const frame = { from, method, text };
    this.frames.push(frame);
    const fate = this.onFrame(frame);
    if (fate === 'pass') to.send(text);
    else if (fate === 'lose') end();
    else to.send(text, end);
  }
}
