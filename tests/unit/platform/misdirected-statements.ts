import path from 'node:path';
import ts from 'typescript';

interface File {
  file: string;
  text: string;
}

/** The methods that select the task database of a statement. */
const selectors = new Set(['of', 'inEach', 'inAvailable', 'at']);
/** Functions that send a statement to the main database. */
const mainFunctions = new Set(['execute', 'selectDue']);
const rowMethods = new Set(['query', 'queryFirst', 'queryUnprepared']);
const transactionFunctions = new Set(['queryIn', 'executeIn']);
const clients = new Set(['db', 'primaryDb', 'pool']);
/** Parameters that are a connection to one task database. */
const connections = new Set(['client', 'from', 'to']);

function nameOf(callee: ts.Expression): string {
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? callee.text : '';
}

function some(node: ts.Node, matches: (node: ts.Node) => boolean): boolean {
  return matches(node) || (ts.forEachChild(node, (child) => some(child, matches) || undefined) ?? false);
}

function isCallOf(names: ReadonlySet<string>): (node: ts.Node) => boolean {
  return (node) => ts.isCallExpression(node) && names.has(nameOf(node.expression));
}

const runsStatement = isCallOf(
  new Set([...mainFunctions, ...rowMethods, ...transactionFunctions, 'queryOfAll', 'queryOfAvailable', 'executeOfAll']),
);

/** A name of SQL, or of a function that returns SQL, and the node in which it is visible. */
interface SqlName {
  name: string;
  scope: ts.Node;
}

/** Finds the SQL of one file. */
class SqlSource {
  private readonly names: SqlName[] = [];
  /** Variables for rows of a task database. */
  private readonly receivers = new Set<string>();
  /** Functions of a task database with the name of a function for the main one: `const { execute } = ofOwner(…)`. */
  private readonly bound: SqlName[] = [];

  constructor(
    readonly file: ts.SourceFile,
    private readonly namesOwnedTable: (sql: string) => boolean,
  ) {}

  /** Adds the names for SQL about owned tables, in terms of the names that are known. Returns false if there are none. */
  addNames(sources: ReadonlyMap<string, SqlSource>): boolean {
    const before = this.names.length;
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node)) this.addImports(node, sources);
      if (ts.isBindingElement(node) && ts.isIdentifier(node.name) && mainFunctions.has(node.name.text)) {
        this.bound.push({ name: node.name.text, scope: scopeOf(node.parent.parent) });
      }
      const isDeclaration = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node);
      if (isDeclaration && node.name && ts.isIdentifier(node.name)) this.addDeclaration(node, node.name.text);
      ts.forEachChild(node, visit);
    };
    visit(this.file);
    return this.names.length > before;
  }

  private addImports({ importClause, moduleSpecifier }: ts.ImportDeclaration, sources: ReadonlyMap<string, SqlSource>) {
    const bindings = importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings) || !ts.isStringLiteral(moduleSpecifier)) return;
    const source = sources.get(`${path.join(path.dirname(this.file.fileName), moduleSpecifier.text)}.ts`);
    for (const { name, propertyName } of bindings.elements) {
      if (source?.isTopLevel((propertyName ?? name).text)) this.add(name.text, this.file);
    }
  }

  private addDeclaration(node: ts.VariableDeclaration | ts.FunctionDeclaration, name: string): void {
    if (ts.isVariableDeclaration(node) && node.initializer && isCallOf(selectors)(node.initializer)) {
      this.receivers.add(name);
    }
    if (!some(node, runsStatement) && this.isOwned(node)) this.add(name, scopeOf(node));
  }

  private add(name: string, scope: ts.Node): void {
    if (!this.names.some((known) => known.name === name && known.scope === scope)) this.names.push({ name, scope });
  }

  private isTopLevel(name: string): boolean {
    return this.names.some((known) => known.name === name && known.scope === this.file);
  }

  /** Returns true if the node contains SQL about an owned table, or a name for it. */
  private isOwned(node: ts.Node): boolean {
    return some(node, (part) => {
      if (ts.isStringLiteralLike(part) || ts.isTemplateExpression(part)) return this.namesOwnedTable(part.getText());
      return ts.isIdentifier(part) && isExpression(part) && isVisible(this.names, part);
    });
  }

  /** Returns true for a call that does not send its statement to the database of an owner. */
  private isAtMain({ expression: callee, arguments: [first] }: ts.CallExpression): boolean {
    const name = nameOf(callee);
    if (transactionFunctions.has(name)) return first !== undefined && isCallOf(clients)(first);
    if (ts.isIdentifier(callee)) return mainFunctions.has(name) && !isVisible(this.bound, callee);
    if (!ts.isPropertyAccessExpression(callee)) return false;
    const { expression: receiver } = callee;
    if (ts.isIdentifier(receiver) && (this.receivers.has(receiver.text) || connections.has(receiver.text)))
      return false;
    return rowMethods.has(name) && !isCallOf(selectors)(receiver);
  }

  /** Returns the calls with statements about an owned table that are sent to the main database. */
  findMisdirected(): string[] {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && this.isAtMain(node) && node.arguments.some((given) => this.isOwned(given))) {
        const { line } = this.file.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${this.file.fileName}:${line + 1}: ${node.getText().replace(/\s+/g, ' ').slice(0, 80)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(this.file);
    return found;
  }
}

function isVisible(names: SqlName[], { text, pos, end }: ts.Identifier): boolean {
  return names.some(({ name, scope }) => name === text && scope.pos <= pos && end <= scope.end);
}

/** Returns the node in which a declaration is visible. */
function scopeOf(declaration: ts.Node): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent.parent : declaration.parent;
}

function isExpression(identifier: ts.Identifier): boolean {
  const { parent } = identifier;
  if (ts.isPropertyAccessExpression(parent)) return parent.name !== identifier;
  return !('name' in parent) || parent.name !== identifier || ts.isShorthandPropertyAssignment(parent);
}

/**
 * Returns the calls that send a statement about an owned table to the main database, as `file:line: statement`. Finds
 * the statement in the call, and in constants and functions whose names it contains.
 */
export function findMisdirected(files: File[], namesOwnedTable: (sql: string) => boolean): string[] {
  const parsed = files.map(({ file, text }) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  const sources = new Map(parsed.map((file) => [file.fileName, new SqlSource(file, namesOwnedTable)]));
  for (let isChanged = true; isChanged; ) {
    isChanged = [...sources.values()].map((source) => source.addNames(sources)).includes(true);
  }
  return [...sources.values()].flatMap((source) => source.findMisdirected());
}
