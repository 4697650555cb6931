/**
 * Who probes agents: no person and no app, so nobody pays and nobody granted it anything. Agents know it by the `client_id`.
 */
export const PROBE_CLIENT = {
  principal: 'prb_00000000000000000000',
  credentialId: 'prb_00000000000000000000',
  clientId: 'parley-probe',
} as const;
