import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** A mail server on loopback that stores what it receives (RFC 5321, enough to receive one email). */
export class MailServer {
  readonly mails: { to: string; text: string }[] = [];
  /** The commands that it received. */
  readonly commands: string[] = [];
  /** Addresses it rejects, naming them as real servers do. */
  readonly refused = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<MailServer> {
    const server = createServer();
    const mailServer = new MailServer(server);
    server.on('connection', (socket) => mailServer.talk(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return mailServer;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  private talk(socket: Socket): void {
    let unread = '';
    let to = '';
    let text: string[] | null = null;
    socket.setEncoding('utf8');
    socket.write('220 mail.test\r\n');
    socket.on('data', (chunk: string) => {
      const lines = `${unread}${chunk}`.split('\r\n');
      unread = lines.pop() ?? '';
      for (const line of lines) {
        if (text && line !== '.') {
          text.push(line.replace(/^\.\./, '.'));
        } else if (text) {
          this.mails.push({ to, text: text.join('\r\n') });
          text = null;
          socket.write('250 kept\r\n');
        } else {
          this.commands.push(line);
          to = /^RCPT TO:<(.+?)>/i.exec(line)?.[1] ?? to;
          if (/^DATA/i.test(line)) text = [];
          socket.write(`${this.response(line, to)}\r\n`);
        }
      }
    });
  }

  private response(line: string, to: string): string {
    if (/^EHLO/i.test(line)) return '250-mail.test\r\n250 8BITMIME';
    if (/^DATA/i.test(line)) return '354 go on';
    if (/^QUIT/i.test(line)) return '221 bye';
    if (/^RCPT/i.test(line) && this.refused.has(to)) return `550 no mailbox <${to}> here`;
    return '250 mail.test';
  }
}
