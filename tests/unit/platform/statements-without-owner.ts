import path from 'node:path';
import ts from 'typescript';
import { OWNER_COLUMNS } from '@/lib/platform/db/task-databases/owner-rows';

interface File {
  file: string;
  text: string;
}

/** What sends a statement to all owners of a database: claims, sweeps, retention, statistics, and lookups by a bare id. */
const forAllOwners =
  /\b(?:inEach|inAvailable|at|atDatabase|inEachTaskDatabase|inAvailableTaskDatabases|selectTaskDue)\b/;
const owned = Object.keys(OWNER_COLUMNS).join('|');
const beginsStatement = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/;
const references = new RegExp(
  `(?:\\b(FROM|JOIN|INTO|UPDATE|USING)\\s+|,\\s*)(?:ONLY\\s+)?"?(${owned})"?(?![\\w.(])(?:\\s+(?:AS\\s+)?(?!(?:${[
    'SET|WHERE|ON|USING|ORDER|GROUP|LIMIT|RETURNING|FOR|UNION|JOIN|LEFT|CROSS|SELECT|VALUES|DEFAULT',
  ]})\\b)([a-z]\\w*))?`,
  'g',
);

/** A part of a statement between two parentheses, with the parts within it. */
interface Group {
  start: number;
  end: number;
}

function groupAt(sql: string, position: number): Group {
  const open: number[] = [0];
  for (let at = 0; at < position; at++) {
    if (sql[at] === '(') open.push(at + 1);
    if (sql[at] === ')' && open.length > 1) open.pop();
  }
  let depth = 0;
  for (let at = position; at < sql.length; at++) {
    if (sql[at] === '(') depth += 1;
    if (sql[at] === ')' && --depth < 0) return { start: open.at(-1) ?? 0, end: at };
  }
  return { start: open.at(-1) ?? 0, end: sql.length };
}

/** Returns the owned tables of a statement whose rows it does not select by owner, or inserts without one. */
function tablesWithoutOwner(sql: string): string[] {
  return [...sql.matchAll(references)].flatMap(([match, verb, table = '', alias], nth, all) => {
    const index = all[nth]?.index ?? 0;
    const { end } = groupAt(sql, index);
    const rest = sql.slice(index + match.length, end);
    if (verb === 'INTO') return /^\s*\([^)]*\b(?:principal|user_id)\b/.test(rest) ? [] : [table];
    const column = `(?:${alias ?? table}\\.|(?<![.\\w]))(?:principal|user_id)\\b`;
    const isSelected = new RegExp(`${column}\\s*(?:=|<>|,|\\)?\\s*IN\\b)|=\\s*${column}`).test(rest);
    return isSelected ? [] : [table];
  });
}

type Declaration = ts.VariableDeclaration | ts.FunctionDeclaration;

/** Finds statements, with the constants and functions in them. */
class Statements {
  private readonly declarations = new Map<string, Declaration[]>();
  private readonly identifiers = new Map<string, ts.Identifier[]>();
  private readonly sources: ts.SourceFile[];

  constructor(files: File[]) {
    this.sources = files.map(({ file, text }) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
    for (const source of this.sources) {
      visit(source, (node) => {
        this.declare(node);
        if (!ts.isIdentifier(node)) return;
        const same = this.identifiers.get(node.text);
        if (same) same.push(node);
        else this.identifiers.set(node.text, [node]);
      });
    }
  }

  private declare(node: ts.Node): void {
    const isDeclaration = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node);
    if (!isDeclaration || !node.name || !ts.isIdentifier(node.name)) return;
    this.declarations.set(node.name.text, [...(this.declarations.get(node.name.text) ?? []), node]);
  }

  /** Returns the statements that lack an owner, as `file:line: tables`. */
  findWithoutOwner(): string[] {
    return this.sources.flatMap((source) => {
      const found: string[] = [];
      visit(source, (node) => {
        if (!isText(node) || !beginsStatement.test(literalOf(node))) return;
        const tables = tablesWithoutOwner(this.expand(node));
        if (tables.length === 0 || this.isForAllOwners(node)) return;
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${source.fileName}:${line + 1}: ${[...new Set(tables)].join(', ')}`);
      });
      return found;
    });
  }

  /** Returns the text with the constants and functions that it contains. */
  private expand(node: ts.Node, depth = 0): string {
    if (depth > 6) return '';
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTemplateExpression(node)) {
      return node.templateSpans.reduce(
        (text, span) => text + this.expand(span.expression, depth + 1) + span.literal.text,
        node.head.text,
      );
    }
    if (ts.isTaggedTemplateExpression(node)) return this.expand(node.template, depth);
    if (ts.isCallExpression(node)) {
      const isRaw = node.expression.getText() === 'Prisma.raw';
      return this.expand(isRaw ? (node.arguments[0] as ts.Node) : node.expression, depth + 1);
    }
    if (ts.isIdentifier(node)) return this.expandName(node, depth);
    return '?';
  }

  private expandName(name: ts.Identifier, depth: number): string {
    // Its halves have no condition, but every use of it does.
    if (name.text === 'allTasksSql') return 'task';
    const declaration = this.declarationOf(name);
    if (!declaration) return '?';
    const body = ts.isFunctionDeclaration(declaration) ? declaration : declaration.initializer;
    let first: ts.Node | undefined;
    if (body) visit(body, (node) => (first ??= isText(node) ? node : undefined));
    return first ? this.expand(first, depth + 1) : '?';
  }

  /** The innermost declaration that is visible in the file, or the one of the file from which the name is imported. */
  private declarationOf(name: ts.Identifier): Declaration | undefined {
    const all = this.declarations.get(name.text) ?? [];
    const here = all.filter((one) => one.getSourceFile() === name.getSourceFile() && isVisible(one, name));
    here.sort((one, other) => scopeOf(other).pos - scopeOf(one).pos);
    return here[0] ?? all.find((one) => this.imports(name.getSourceFile(), one));
  }

  private imports(source: ts.SourceFile, declaration: Declaration): boolean {
    const from = declaration.getSourceFile().fileName;
    return source.statements.some(
      (statement) =>
        ts.isImportDeclaration(statement) &&
        ts.isStringLiteral(statement.moduleSpecifier) &&
        `${path.join(path.dirname(source.fileName), statement.moduleSpecifier.text)}.ts` === from,
    );
  }

  /** Returns true if the text, or every use of its name, is in a call that sends it to all owners. */
  private isForAllOwners(node: ts.Node, depth = 0): boolean {
    if (depth > 4) return false;
    for (let at = node; at.parent; at = at.parent) {
      if (ts.isCallExpression(at) && forAllOwners.test(at.expression.getText())) return true;
      if (!(ts.isVariableDeclaration(at) || ts.isFunctionDeclaration(at))) continue;
      if (at.name && ts.isIdentifier(at.name)) return this.areUsesForAllOwners(at, depth);
    }
    return false;
  }

  private areUsesForAllOwners(declaration: Declaration, depth: number): boolean {
    const uses = (this.identifiers.get((declaration.name as ts.Identifier).text) ?? []).filter(
      (node) =>
        node !== declaration.name && !ts.isImportSpecifier(node.parent) && this.declarationOf(node) === declaration,
    );
    return uses.length > 0 && uses.every((use) => this.isForAllOwners(use, depth + 1));
  }
}

function scopeOf(declaration: Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent.parent : declaration.parent;
}

function isVisible(declaration: Declaration, { pos, end }: ts.Node): boolean {
  const scope = scopeOf(declaration);
  return scope.pos <= pos && end <= scope.end;
}

function visit(node: ts.Node, on: (node: ts.Node) => void): void {
  on(node);
  ts.forEachChild(node, (child) => visit(child, on));
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function literalOf(node: ts.Node): string {
  if (ts.isTemplateExpression(node)) return node.head.text;
  return ts.isStringLiteralLike(node) ? node.text : '';
}

/**
 * Returns the statements about owned tables that do not give the owner and are not sent to all owners of a database, as
 * `file:line: tables`.
 */
export function findWithoutOwner(files: File[]): string[] {
  return new Statements(files).findWithoutOwner();
}
