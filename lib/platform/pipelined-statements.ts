import type { Connection, Submittable } from 'pg';

/** A prepared statement and its parameters as PostgreSQL reads them. One name stands for one text. */
export interface Statement {
  name: string;
  text: string;
  values: (string | null)[];
}

/** The columns of a row as PostgreSQL writes them. */
export type TextRow = (string | null)[];

/**
 * Prepared statements that are carried out together: one way there and back, one commit for all. What fails undoes all of them
 * (PostgreSQL, "Extended Query": everything up to one Sync is one transaction).
 */
export class PipelinedStatements implements Submittable {
  readonly rows: Promise<TextRow[][]>;
  private readonly results: TextRow[][] = [[]];
  private deferred!: { resolve: (rows: TextRow[][]) => void; reject: (error: unknown) => void };
  private isSent = false;

  /** `known` holds the names that the connection has prepared, or will have when it comes to that; it is kept up to date. */
  constructor(
    private readonly statements: Statement[],
    private readonly prepared: Set<string>,
  ) {
    this.rows = new Promise((resolve, reject) => {
      this.deferred = { resolve, reject };
    });
  }

  /** Sends them. The driver does when it is their turn; who does before it lets the database go on without waiting for us. */
  submit(connection: Connection): void {
    if (this.isSent) return;
    this.isSent = true;
    connection.stream.cork();
    try {
      for (const statement of this.statements) this.send(statement, connection);
      connection.sync();
    } catch (error) {
      // Half of it may be on its way: nothing more can be said on this connection.
      connection.stream.destroy();
      this.handleError(error);
    } finally {
      connection.stream.uncork();
    }
  }

  private send({ name, text, values }: Statement, connection: Connection): void {
    if (!this.prepared.has(name)) {
      // What was prepared in a try that failed may be there, and what is not there may be closed.
      connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
      this.prepared.add(name);
    }
    connection.bind({ statement: name, values }, true);
    connection.execute({}, true);
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.results.at(-1)?.push(fields);
  }

  handleCommandComplete(): void {
    this.results.push([]);
  }

  handleReadyForQuery(): void {
    this.deferred.resolve(this.results.slice(0, this.statements.length));
  }

  handleError(error: unknown): void {
    for (const { name } of this.statements) this.prepared.delete(name);
    this.deferred.reject(error);
  }
}
