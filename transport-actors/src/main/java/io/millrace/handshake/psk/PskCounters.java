package io.millrace.handshake.psk;

/**
 * The counts of a node's side of the exchange since its begin. Written and read on the thread that
 * drives the handshake.
 */
public final class PskCounters {
  long malformed;
  long otherVersions;
  long wrongKeys;
  long forged;
  long repeated;
  long unknown;
  long forgotten;
  long rejectsSent;
  long rejectsWithheld;
  long established;

  PskCounters() {}

  /** Datagrams that are no handshake message. */
  public long malformed() {
    return malformed;
  }

  /** Datagrams of another version of the handshake. */
  public long otherVersions() {
    return otherVersions;
  }

  /** Init messages under another key. */
  public long wrongKeys() {
    return wrongKeys;
  }

  /** Messages of a known exchange whose seal or MAC is wrong. */
  public long forged() {
    return forged;
  }

  /** Messages that were answered before. */
  public long repeated() {
    return repeated;
  }

  /** Messages of exchanges that are not, or no longer, known. */
  public long unknown() {
    return unknown;
  }

  /** Exchanges of peers that were forgotten before their end. */
  public long forgotten() {
    return forgotten;
  }

  /** Refusals sent. */
  public long rejectsSent() {
    return rejectsSent;
  }

  /** Refusals not sent, because too many were in this second. */
  public long rejectsWithheld() {
    return rejectsWithheld;
  }

  /** Paths established, by either side. */
  public long established() {
    return established;
  }
}
