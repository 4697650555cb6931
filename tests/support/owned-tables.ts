/** The tables with rows of one owner, which are in the owner's task database (docs/decisions/0051). */
export const ownedTables: ReadonlySet<string> = new Set([
  'agent_task_day',
  'answer_feedback',
  'arrived_owner',
  'chain',
  'chain_approval',
  'chain_task',
  'client_task_id',
  'compacted_task',
  'context',
  'conversation',
  'conversation_branch',
  'conversation_index_cursor',
  'conversation_share',
  'conversation_text',
  'hub_run',
  'idempotency_key',
  'leaving_owner',
  'openai_lost_answer',
  'openai_turn',
  'pending_cancel',
  'push_config',
  'push_dead_letter',
  'retention_cursor',
  'task',
  'task_event',
  'task_http_exchange',
  'web_push_seen',
]);

/** Returns true if a statement reads or writes a table of owners. */
export function namesOwnedTable(sql: string): boolean {
  return [...sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\s+(?:ONLY\s+)?"?([a-z_]+)"?/gi)].some(
    ([, name = '']) => ownedTables.has(name) || /^task_http_exchange_/.test(name),
  );
}
