package io.millrace.handshake.psk;

/**
 * What a node's side of the exchange has seen since it began. Written and read on the thread that
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

  /** Exchanges that peers began and that were forgotten before they ended. */
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

  /** Paths established, whoever began. */
  public long established() {
    return established;
  }
}
