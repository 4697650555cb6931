/** The current mode of searches. */
export interface SearchModeView {
  /** `meaning`: words and meanings are compared; `words`: only words. */
  mode: 'meaning' | 'words';
  /** The model of `meaning`. */
  model: string | null;
  /** The reason why meanings are not compared; null in mode `meaning`. */
  reason: 'off' | 'filling' | 'failing' | null;
  /**
   * The model that is being filled, and the share of agents whose vectors it has, from 0 to 1; null if none is being
   * filled.
   */
  filling: { model: string; share: number } | null;
}
