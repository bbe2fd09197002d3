package io.millrace.protocol.replay;

import java.util.Arrays;

/**
 * Decides for a path which old packets are opened at all, and which transfers of such packets are
 * challenged; rules RP-1 to RP-4. A packet below the window of received packets may be a replay or
 * merely late: nothing here can tell, so the sender is asked and the packet's bytes are dropped. A
 * forgotten challenge costs an honest sender nothing but time: the sender by itself retransmits
 * unacknowledged frames.
 *
 * <p>Owned by the path, on the worker's thread. Time is passed in. Memory is {@value #MOST} places
 * for ever; does not allocate after construction. {@link ChallengePhase} is the table of a place.
 */
public final class TransferChallenges {
  /** Transfers that may be challenged at once; the oldest gives way. */
  public static final int MOST = 64;

  /** A challenge that was not answered for so long is forgotten, ns. */
  public static final long LIFETIME_NS = 1_000_000_000;

  /** Old packets that may be opened in a row. */
  public static final int MOST_OPENED_AT_ONCE = 64;

  /** Afterwards one packet more may be opened in each interval of this length, ns. */
  public static final long OPENING_INTERVAL_NS = 1_000_000;

  private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;
  private static final ChallengePhase[] PHASES = ChallengePhase.values();
  private static final byte FREE = (byte) ChallengePhase.FREE.ordinal();
  private static final byte DUE = (byte) ChallengePhase.DUE.ordinal();
  private static final byte CHALLENGED = (byte) ChallengePhase.CHALLENGED.ordinal();

  // By place. Times and nonces of a place that is free mean nothing.
  private final byte[] phases = new byte[MOST];
  private final long[] transferIds = new long[MOST];
  private final long[] nonces = new long[MOST];
  private final long[] madeNs = new long[MOST];
  private final long[] polled = new long[MOST];

  private long nonceState;

  /** The state of the old packet at hand. */
  private long nonce;

  private long polledNonce;
  private int left;
  private long packetNs;

  /** When another old packet may be opened if none was opened in a row, ns. */
  private long openingNs = Long.MIN_VALUE;

  private int due;
  private int outstanding;
  private long forgotten;

  /**
   * Nothing is challenged yet.
   *
   * @param seed the source of the nonces; another seed for each path. The nonces need not be
   *     secret: only the peer, as the addressee, could use the nonces
   */
  public TransferChallenges(long seed) {
    nonceState = seed;
  }

  /** Whether another old packet may be opened; a permitted packet is counted. Rule RP-2. */
  public boolean mayOpen(long nowNs) {
    long earliestNs = nowNs - (MOST_OPENED_AT_ONCE - 1) * OPENING_INTERVAL_NS;
    if (openingNs == Long.MIN_VALUE || openingNs - earliestNs < 0) {
      openingNs = earliestNs;
    }
    if (openingNs - nowNs > 0) {
      return false;
    }
    openingNs += OPENING_INTERVAL_NS;
    return true;
  }

  /** An old packet was opened: the transfers that the packet would open follow. */
  public void onPacket(long nowNs) {
    for (int place = 0; place < MOST && outstanding > 0; place++) {
      if (phases[place] != FREE && nowNs - madeNs[place] >= LIFETIME_NS) {
        forget(place);
      }
    }
    packetNs = nowNs;
    left = MOST;
    nonce = nextNonce();
    assert invariantsHold();
  }

  /**
   * The packet would open this transfer, of which the receiver knows nothing.
   *
   * @return whether the transfer is challenged anew; false for a challenged transfer, or if the
   *     packet had too many transfers
   */
  public boolean challenge(long transferId) {
    if (left == 0 || placeOf(transferId) >= 0) {
      return false;
    }
    left--;
    int place = freePlace();
    if (place < 0) {
      place = oldestPlace();
      forget(place);
    }
    move(place, ChallengePhase.Event.CHALLENGE);
    due++;
    outstanding++;
    transferIds[place] = transferId;
    nonces[place] = nonce;
    madeNs[place] = packetNs;
    assert invariantsHold();
    return true;
  }

  /** Whether a sender is to be asked. */
  public boolean isDue() {
    return due > 0;
  }

  /**
   * Takes up to {@code most} transfers to ask about under a single nonce; the transfers count as
   * asked about now.
   *
   * @return the number of transfers; {@link #polledNonce} and {@link #polledId} have the nonce and
   *     the ids
   */
  public int poll(int most) {
    int count = 0;
    for (int place = 0; place < MOST && count < most; place++) {
      if (phases[place] == DUE && (count == 0 || nonces[place] == polledNonce)) {
        polledNonce = nonces[place];
        polled[count++] = transferIds[place];
        move(place, ChallengePhase.Event.SEND);
        due--;
      }
    }
    assert invariantsHold();
    return count;
  }

  /** The nonce of the last poll. */
  public long polledNonce() {
    return polledNonce;
  }

  /** A transfer of the last poll. */
  public long polledId(int index) {
    return polled[index];
  }

  /**
   * A packet with a challenge was lost: its unanswered questions are asked again.
   *
   * @param nonceBits the nonce, as far as {@code mask} has bits
   */
  public void onLost(long nonceBits, long mask, long nowNs) {
    for (int place = 0; place < MOST; place++) {
      if (phases[place] == CHALLENGED && (nonces[place] & mask) == nonceBits) {
        if (nowNs - madeNs[place] >= LIFETIME_NS) {
          forget(place);
        } else {
          move(place, ChallengePhase.Event.LOSE);
          due++;
        }
      }
    }
    assert invariantsHold();
  }

  /**
   * The peer confirms this transfer as its own.
   *
   * @return false without such a challenge: the confirmation means nothing
   */
  public boolean onConfirmed(long nonceEcho, long transferId) {
    int place = placeOf(transferId);
    if (place < 0 || nonces[place] != nonceEcho) {
      return false;
    }
    release(place, ChallengePhase.Event.CONFIRM);
    assert invariantsHold();
    return true;
  }

  /**
   * The peer says that this transfer is not, or no longer, the peer's own.
   *
   * @return false without such a challenge: the reset means nothing
   */
  public boolean onReset(long transferId) {
    int place = placeOf(transferId);
    if (place < 0) {
      return false;
    }
    release(place, ChallengePhase.Event.RESET);
    assert invariantsHold();
    return true;
  }

  /** The phase of the challenge of this transfer. */
  public ChallengePhase phase(long transferId) {
    int place = placeOf(transferId);
    return place < 0 ? ChallengePhase.FREE : PHASES[phases[place]];
  }

  /** Challenges without an answer so far. */
  public int outstanding() {
    return outstanding;
  }

  /** Challenges forgotten without an answer. */
  public long forgotten() {
    return forgotten;
  }

  private int placeOf(long transferId) {
    for (int place = 0; place < MOST && outstanding > 0; place++) {
      if (transferIds[place] == transferId && phases[place] != FREE) {
        return place;
      }
    }
    return -1;
  }

  private int freePlace() {
    for (int place = 0; place < MOST && outstanding < MOST; place++) {
      if (phases[place] == FREE) {
        return place;
      }
    }
    return -1;
  }

  private int oldestPlace() {
    int oldest = 0;
    for (int place = 1; place < MOST; place++) {
      if (madeNs[place] - madeNs[oldest] < 0) {
        oldest = place;
      }
    }
    return oldest;
  }

  private void forget(int place) {
    release(place, ChallengePhase.Event.FORGET);
    forgotten++;
  }

  private void release(int place, ChallengePhase.Event event) {
    if (phases[place] == DUE) {
      due--;
    }
    outstanding--;
    move(place, event);
  }

  private void move(int place, ChallengePhase.Event event) {
    ChallengePhase before = PHASES[phases[place]];
    ChallengePhase next = before.after(event);
    if (next == null) {
      throw new IllegalStateException("a challenge: " + event + " while " + before);
    }
    phases[place] = (byte) next.ordinal();
  }

  /** SplitMix64; never 0, which marks the absence of a nonce. */
  private long nextNonce() {
    nonceState += GOLDEN_GAMMA;
    long mixed = (nonceState ^ nonceState >>> 30) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
    mixed ^= mixed >>> 31;
    return mixed == 0 ? 1 : mixed;
  }

  private boolean invariantsHold() {
    int known = 0;
    int asking = 0;
    for (byte phase : phases) {
      known += phase == FREE ? 0 : 1;
      asking += phase == DUE ? 1 : 0;
    }
    assert known == outstanding && asking == due : Arrays.toString(phases);
    return true;
  }
}
