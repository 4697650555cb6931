import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn, type Part, type Task, type TaskState, type TaskStatus } from '../../protocol/a2a/core/model';
import { detectAp2Object } from '../../protocol/ap2/detect-ap2-object';
import { describeForm } from '../../protocol/forms/describe-form';
import { findFormSource } from '../../protocol/forms/form';
import { readForm } from '../../protocol/forms/read-form';
import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import { type McpApp, readApp } from '../../protocol/mcp-apps/read-app';
import type { StreamItem } from '../../tasks';

/** The addition of an event to the answer: progress of the agent, or content. */
export interface AnswerDelta {
  reasoning?: string;
  content?: string;
}

/** Maximum apps of an answer that a host receives. */
const MAX_APPS = 4;

/**
 * Reads one turn of a task as a chat completion: artifacts and messages are the content, and texts of a working status
 * are the reasoning.
 */
export class AnswerReader {
  content = '';
  reasoning = '';
  state: TaskState = 'submitted';
  /** The apps in the answer. */
  readonly apps: McpApp[] = [];
  /** True if the turn may have created an offer, which only data parts do. */
  hasData = false;
  /** `task_failed` if the agent failed, rejected or canceled the task. */
  failure: ParleyError | null = null;
  /** The last usage that the agent reported in this turn. */
  usage: TokenUsage = NO_USAGE;
  readonly #taskId: string;
  /** The artifact with which the content ends. */
  #lastArtifact: string | null = null;
  /** The texts and numbers of parts so far, by artifact. */
  readonly #artifacts = new Map<string, { text: string; parts: number }>();

  constructor(taskId: string) {
    this.#taskId = taskId;
  }

  read(item: StreamItem): AnswerDelta[] {
    if ('event' in item) return this.#readEvent(item.event);
    // The task at the start of the turn. A turn that has already ended consists only of its task.
    this.state = item.task.status.state;
    return endsTurn(this.state) ? this.readTask(item.task) : [];
  }

  /** Adds a paragraph to the content. */
  append(paragraph: string): AnswerDelta {
    this.#lastArtifact = null;
    return this.#addContent(this.content === '' ? paragraph : `\n\n${paragraph}`);
  }

  /** Adds the marker of the turn, which is part of the client's answer but not of the agent's output. */
  mark(marker: string): AnswerDelta {
    return this.#addContent(marker);
  }

  /** Reads a whole task as its answer so far. */
  readTask({ status, artifacts }: Task): AnswerDelta[] {
    const deltas = artifacts.flatMap((artifact) => this.#readArtifact({ artifact, append: false }));
    return [...deltas, ...this.#readStatus(status)];
  }

  #readEvent(event: TaskEvent): AnswerDelta[] {
    if (event.type === 'artifact' || event.type === 'status') this.#noteUsage(event.metadata);
    if (event.type === 'artifact') return this.#readArtifact(event);
    const status = statusOf(event);
    return status ? this.#readStatus(status) : [];
  }

  #readStatus(status: TaskStatus): AnswerDelta[] {
    const { state, message } = status;
    this.state = state;
    this.#noteUsage(message?.metadata);
    const location = { source: message?.messageId ?? '', from: 0, isMessage: true };
    const text = this.#markdownOf(message?.parts ?? [], location);
    if (!endsTurn(state)) return text === '' ? [] : [this.#addReasoning(`${text}\n`)];
    if (state === 'failed' || state === 'rejected' || state === 'canceled') {
      this.failure = taskFailed(state, text);
      return [];
    }
    return text === '' ? [] : [this.append(text)];
  }

  #readArtifact({ artifact, append }: Pick<TaskEvent & { type: 'artifact' }, 'artifact' | 'append'>): AnswerDelta[] {
    const { artifactId, parts, metadata } = artifact;
    this.#noteUsage(metadata);
    const known = this.#artifacts.get(artifactId);
    const before = append && known ? known : { text: '', parts: 0 };
    const text = this.#markdownOf(parts, { source: artifactId, from: before.parts, isMessage: false });
    this.#artifacts.set(artifactId, { text: before.text + text, parts: before.parts + parts.length });
    // Agents that cannot append publish the whole artifact each time.
    const added = !append && known && text.startsWith(known.text) ? text.slice(known.text.length) : text;
    if (added === '') return [];
    const continues = this.#lastArtifact === artifactId;
    const delta = continues && (append || added !== text) ? this.#addContent(added) : this.append(added);
    this.#lastArtifact = artifactId;
    return [delta];
  }

  #noteUsage(metadata: JsonObject | undefined): void {
    this.usage = usageIn(metadata) ?? this.usage;
  }

  #markdownOf(parts: Part[], location: Omit<PartLocation, 'taskId'>): string {
    this.hasData ||= parts.some(({ kind }) => kind === 'data');
    this.apps.push(...parts.flatMap((part) => readApp(part) ?? []).slice(0, MAX_APPS - this.apps.length));
    return toMarkdown(parts, { taskId: this.#taskId, ...location });
  }

  #addContent(content: string): AnswerDelta {
    this.content += content;
    return { content };
  }

  #addReasoning(reasoning: string): AnswerDelta {
    this.reasoning += reasoning;
    return { reasoning };
  }
}

function taskFailed(state: 'failed' | 'rejected' | 'canceled', text: string): ParleyError {
  return new ParleyError('task_failed', text || `The task was ${state === 'failed' ? 'not completed' : state}.`, {
    data: { state },
  });
}

/** Tokens of one turn, as counted by the agent. */
interface TokenUsage {
  input: number;
  output: number;
  total: number;
}

/** The usage of an agent that does not count tokens. */
const NO_USAGE: TokenUsage = { input: 0, output: 0, total: 0 };

/** Maximum token count. A greater number is invalid, so that the sum of two counts is exact. */
const MAX_COUNT = 1_000_000_000_000;

/**
 * Matches `usage` and `usageMetadata`, also with the prefix of a framework: `adk_usage_metadata`,
 * `kagent_usage_metadata`.
 */
const usageKey = /^(?:[a-z]+_)?usage(?:_?metadata)?$/i;

// The names of OpenAI, Anthropic, the AI SDK and Gemini, without case and underscores.
const inputNames = new Set(['prompttokens', 'inputtokens', 'prompttokencount', 'inputtokencount']);
const outputNames = new Set([
  ...['completiontokens', 'outputtokens', 'completiontokencount', 'outputtokencount'],
  'candidatestokencount',
]);
const totalNames = new Set(['totaltokens', 'totaltokencount']);

/** Returns the usage in the metadata of a message, an artifact or an event; null for none. */
function usageIn(metadata: JsonObject | undefined): TokenUsage | null {
  for (const [key, value] of Object.entries(metadata ?? {})) {
    const usage = usageKey.test(key) && isObject(value) ? readUsage(value) : null;
    if (usage) return usage;
  }
  return null;
}

/** Reads token counts, which are whole numbers from 0. A total is never less than its parts. */
function readUsage(counts: JsonObject): TokenUsage | null {
  const find = (names: Set<string>): number | undefined => {
    const found = Object.entries(counts).find(([name, value]) => names.has(foldName(name)) && isCount(value));
    return found && Number(found[1]);
  };
  const [input, output, total] = [find(inputNames), find(outputNames), find(totalNames)];
  if (input === undefined && output === undefined && total === undefined) return null;
  const sum = (input ?? 0) + (output ?? 0);
  return { input: input ?? 0, output: output ?? 0, total: Math.max(total ?? 0, sum) };
}

function foldName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function isCount(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_COUNT;
}

/** The location of stored parts: a task's artifact or message, and the index of the first of them. */
interface PartLocation {
  taskId: string;
  source: string;
  from: number;
  isMessage: boolean;
}

/**
 * Converts parts to Markdown: texts unchanged, questions with their fields in words, other data as JSON, links, and files as links to Parley. Omits carts and other
 * payment objects, because hosts cannot display them safely and the answer links to the order.
 */
export function toMarkdown(parts: Part[], { taskId, source, from, isMessage }: PartLocation): string {
  const texts = parts.map((part, index) => ({
    isText: part.kind === 'text',
    text: partText(part, { isMessage, url: () => fileUrl({ taskId, source, index: from + index }) }),
  }));
  let markdown = '';
  let endsWithText = true;
  for (const { isText, text } of texts) {
    if (text === '') continue;
    const isBlock = markdown !== '' && !(isText && endsWithText);
    markdown += isBlock ? `\n\n${text}` : text;
    endsWithText = isText;
  }
  return markdown;
}

function partText(part: Part, { isMessage, url }: { isMessage: boolean; url: () => string }): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'data':
      return dataText(part, isMessage);
    case 'uri':
      return /^https?:\/\//i.test(part.uri) && URL.canParse(part.uri)
        ? link(part.filename ?? part.uri, part.uri)
        : part.uri;
    case 'bytes':
      return link(part.filename ?? part.mediaType ?? 'File', url());
  }
}

function dataText(part: Part & { kind: 'data' }, isMessage: boolean): string {
  if (detectAp2Object(part.data)) return '';
  const app = readApp(part);
  if (app) return `An app: \`${app.uri}\``;
  const source = findFormSource(part, isMessage);
  const { form } = source ? readForm(source) : { form: null };
  return form ? describeForm(form) : `\`\`\`json\n${JSON.stringify(part.data, null, 2)}\n\`\`\``;
}

/** Returns a link. Percent-encoding in the URL is normalized, so that it cannot end the link. */
function link(label: string, url: string): string {
  return `[${label.replace(/[[\]\\\p{Cc}]/gu, ' ').trim()}](<${new URL(url).href.replace(/[<>]/g, encodeURIComponent)}>)`;
}

/** Returns the URL of a file in an answer: `GET /v1/files/{id}/content`. */
function fileUrl({ taskId, source, index }: { taskId: string; source: string; index: number }): string {
  return `${env().APP_URL}/v1/files/${taskId}.${index}.${encodeURIComponent(source)}/content`;
}
