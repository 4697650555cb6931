import type { Message, Part, StreamEvent, TaskArtifactUpdate, TaskStatus } from '@parley/agent';
import { plain, plainLine, type Terminal } from './terminal.js';

/** Prints a stream: the agent's answer to stdout, its status messages to stderr. */
export class EventPrinter {
  private artifactId: string | null = null;
  private isMidLine = false;

  constructor(private readonly terminal: Terminal) {}

  show(event: StreamEvent): void {
    if ('message' in event) this.showMessage(event.message);
    else if ('artifactUpdate' in event) this.showArtifact(event.artifactUpdate);
    else if ('statusUpdate' in event) this.showStatus(event.statusUpdate.status);
    else {
      const { id: taskId, contextId, artifacts = [], status } = event.task;
      for (const artifact of artifacts) this.showArtifact({ taskId, contextId, artifact });
      this.showStatus(status);
    }
  }

  /** Moves the cursor to the start of a line. */
  end(): void {
    if (this.isMidLine) this.terminal.write('\n');
    this.isMidLine = false;
  }

  private showArtifact({ artifact, append }: TaskArtifactUpdate): void {
    if (!append || artifact.artifactId !== this.artifactId) this.end();
    this.artifactId = artifact.artifactId;
    for (const part of artifact.parts) this.showPart(part);
  }

  private showStatus({ state, message }: TaskStatus): void {
    if (!message) return;
    this.end();
    if (state === 'TASK_STATE_WORKING' || state === 'TASK_STATE_SUBMITTED') {
      for (const { text } of message.parts) if (text) this.terminal.say(plainLine(text));
    } else {
      this.showMessage(message);
    }
  }

  private showMessage({ parts }: Message): void {
    for (const part of parts) {
      this.showPart(part);
      this.end();
    }
  }

  private showPart(part: Part): void {
    if (part.text !== undefined) {
      this.write(plain(part.text));
      return;
    }
    this.end();
    if (part.data !== undefined) this.terminal.print(plain(JSON.stringify(part.data, null, 2)));
    else this.terminal.say(plainLine(`[${describeFile(part)}; use --json to see its content]`));
  }

  private write(text: string): void {
    if (text === '') return;
    this.terminal.write(text);
    this.isMidLine = !text.endsWith('\n');
  }
}

function describeFile({ filename, mediaType, url, raw }: Part): string {
  const facts = [filename ?? 'a file', mediaType, url ?? (raw && `${Math.ceil((raw.length * 3) / 4096)} kB`)];
  return facts.filter(Boolean).join(', ');
}
