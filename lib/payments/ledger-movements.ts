/** Accounts that money moves between; `owner` tells whose. */
export interface LedgerAccount {
  kind: 'wallet' | 'held' | 'merchant' | 'fees' | 'outside';
  owner: string;
}

/** One transaction of the ledger: what each account gets (positive) or gives (negative), minor units; they add up to zero. */
export interface LedgerMovement {
  /** What it is for. A second movement of the same key is none. */
  key: string;
  kind: 'grant' | 'top-up' | 'hold' | 'capture' | 'release' | 'refund';
  orderId: string | null;
  currency: string;
  test: boolean;
  entries: { account: LedgerAccount; amount: number }[];
}
