import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';

type Scope = Record<string, unknown>;
type Node = string | { action: string; body: Node[] };
interface Chart {
  defined: Map<string, Node[]>;
  files: Map<string, Node[]>;
  root: Scope;
  secrets: Scope;
}

/**
 * Renders a chart that uses only what is implemented here of Helm's language: fields, variables, `if`, `range`, `define`,
 * `include`, `quote`, `default`, `nindent`, `toYaml`, `toJson`, `sha256sum`, `add`, `and`, `dig` and `lookup`. Anything
 * else throws. `secrets`: the Secrets of the cluster by name. Returns the documents by file name.
 */
export function renderChart(folder: string, values: object, secrets: Scope = {}): Map<string, unknown> {
  const chart = readYaml(path.join(folder, 'Chart.yaml'));
  const templates = path.join(folder, 'templates');
  const root = {
    Values: values,
    Release: { Name: 'test', Namespace: 'default', Service: 'Helm' },
    Chart: { AppVersion: chart.appVersion },
  };
  const state: Chart = { defined: new Map(), files: new Map(), root, secrets };
  for (const name of readdirSync(templates)) {
    const nodes = nest(tokensOf(readFileSync(path.join(templates, name), 'utf8')));
    state.files.set(name, nodes);
    for (const node of nodes)
      if (typeof node !== 'string' && node.action.startsWith('define '))
        state.defined.set(String(literal(node.action.slice(7))), node.body);
  }
  const rendered = [...state.files].filter(([name]) => name.endsWith('.yaml'));
  return new Map(rendered.map(([name, nodes]) => [name, parse(render(nodes, state, {}))]));
}

function readYaml(file: string): Scope {
  return parse(readFileSync(file, 'utf8')) as Scope;
}

/** Texts and actions in turn; `{{-` and `-}}` take the white space beside them away. */
function tokensOf(text: string): { text?: string; action?: string }[] {
  const parts = text.split(/(\{\{-? .*? -?\}\})/s);
  return parts.map((part, at) => {
    if (at % 2 === 1) return { action: part.replace(/^\{\{-? | -?\}\}$/g, '') };
    const start = parts[at - 1]?.endsWith('-}}') ? part.trimStart() : part;
    return { text: parts[at + 1]?.startsWith('{{-') ? start.trimEnd() : start };
  });
}

function nest(tokens: { text?: string; action?: string }[]): Node[] {
  const nodes: Node[] = [];
  while (tokens.length > 0) {
    const { text, action } = tokens.shift() ?? {};
    if (action === 'end') return nodes;
    if (action === undefined) nodes.push(text ?? '');
    else nodes.push({ action, body: /^(if|range|define) /.test(action) ? nest(tokens) : [] });
  }
  return nodes;
}

function render(nodes: Node[], chart: Chart, variables: Scope): string {
  return nodes.map((node) => (typeof node === 'string' ? node : renderAction(node, chart, variables))).join('');
}

function renderAction(node: Exclude<Node, string>, chart: Chart, variables: Scope): string {
  const { action, body } = node;
  if (action.startsWith('define ')) return '';
  if (action.startsWith('if '))
    return isTrue(evaluate(action.slice(3), chart, variables)) ? render(body, chart, variables) : '';
  const range = /^range \$(\w+), \$(\w+) := (.*)$/.exec(action);
  if (range) {
    const [, key = '', value = '', expression = ''] = range;
    const entries = Object.entries(evaluate(expression, chart, variables) as Scope);
    return entries.map(([k, v]) => render(body, chart, { ...variables, [key]: k, [value]: v })).join('');
  }
  return String(evaluate(action, chart, variables));
}

/** A pipeline: each command gets the previous result as its last argument. */
function evaluate(expression: string, chart: Chart, variables: Scope): unknown {
  let result: unknown[] = [];
  for (const command of expression.split(' | ')) result = [call(command.trim(), chart, { variables, piped: result })];
  return result[0];
}

function call(command: string, chart: Chart, context: { variables: Scope; piped: unknown[] }): unknown {
  const { variables, piped } = context;
  const words = command.match(/\([^)]*\)|"[^"]*"|\S+/g) ?? [];
  const [name = '', ...rest] = words;
  if (rest.length === 0 && piped.length === 0 && !/^[a-z]/i.test(name)) return wordOf(name, chart, variables);
  const args = [...rest.map((word) => wordOf(word, chart, variables)), ...piped];
  if (name === 'lookup') return chart.secrets[String(args[3])] ?? {};
  const known = functions[name];
  if (known) return known(args);
  if (name !== 'include') throw new Error(`${command}: this renderer does not know ${name}`);
  const [of] = args as [string];
  const nodes = chart.defined.get(of);
  if (!nodes) throw new Error(`${command}: ${of} is not defined`);
  return render(nodes, chart, variables);
}

/** As in Go's templates: empty collections are false. */
function isTrue(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

const functions: Record<string, (args: unknown[]) => unknown> = {
  quote: ([value]) => JSON.stringify(String(value)),
  default: ([fallback, value]) => value || fallback,
  nindent: ([width, text]) => `\n${String(text).replace(/^(?=.)/gm, ' '.repeat(Number(width)))}`,
  toYaml: ([value]) => stringify(value).trimEnd(),
  sha256sum: ([text]) => createHash('sha256').update(String(text)).digest('hex'),
  add: (args) => args.reduce<number>((sum, value) => sum + Number(value), 0),
  and: (args) => args.find((value) => !isTrue(value)) ?? args.at(-1),
  dig: ([name, fallback, dict]) => (dict as Scope)[String(name)] ?? fallback,
  toJson: ([value]) => JSON.stringify(value),
};

function wordOf(word: string, chart: Chart, variables: Scope): unknown {
  if (word.startsWith('(')) return evaluate(word.slice(1, -1), chart, variables);
  if (word === '.') return chart.root;
  if (word.startsWith('.') || word.startsWith('$.')) return fieldOf(chart.root, word.replace(/^\$?\./, ''));
  if (word.startsWith('$')) return fieldOf(variables, word.slice(1));
  return literal(word);
}

function literal(word: string): unknown {
  return JSON.parse(word.trim());
}

/** Unlike Helm, an unknown field is an error. */
function fieldOf(scope: Scope, name: string): unknown {
  return name.split('.').reduce<unknown>((value, member) => {
    if (typeof value !== 'object' || value === null || !(member in value)) throw new Error(`${name} does not exist`);
    return (value as Scope)[member];
  }, scope);
}
