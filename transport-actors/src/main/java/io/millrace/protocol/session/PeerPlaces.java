package io.millrace.protocol.session;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which peers have a place at a node; rule L-8. A peer names itself as the peer likes, so
 * places are counted by the identity that the handshake proved, and within an identity by the
 * source address. While places are free an identity gets as many places as its peers ask for. With
 * all places taken, the newest peer of the largest identity gives way to a peer of a smaller
 * identity. Within an identity, the newest peer of the largest address gives way to a peer of
 * another address. Peers that this node calls count as a single identity, and never give way. A
 * peer that gives way keeps its entry until {@link #onEnded}; at most an eighth of the places,
 * added to the limit, is taken by such peers at once. Owned and guarded by the node's directory of
 * peers. No clock; control plane, allocates.
 */
public final class PeerPlaces {
  /** Peers that have given way and have not ended: this part of the places, at most. */
  private static final int LEAVING_PART = 8;

  private final int limit;
  private final Map<String, Place> places = new HashMap<>();

  /** The peers that may give way, by identity and by address, the oldest first. */
  private final Map<String, Map<String, SequencedSet<String>>> byIdentity = new LinkedHashMap<>();

  private int called;
  private int leaving;

  /**
   * A peer that wants a place.
   *
   * @param peer the peer's own name
   * @param identity the identity that the peer has proved
   * @param address the peer's address at this proof
   */
  public record Claim(String peer, String identity, String address) {}

  /**
   * The decision on a claim.
   *
   * @param isTaken whether the peer has a place
   * @param yields the peer that gives way for the claim, or null without such a peer
   */
  public record Decision(boolean isTaken, @Nullable String yields) {
    private static final Decision REFUSED = new Decision(false, null);
    private static final Decision FREE = new Decision(true, null);
  }

  /** The reason of a peer's place. */
  private enum Reason {
    /** The peer called. */
    CLAIMED,
    /** This node calls the peer. */
    CALLED,
    /** The peer has given way. */
    LEAVING
  }

  private static final class Place {
    private Claim claim;
    private Reason reason;

    private Place(Claim claim, Reason reason) {
      this.claim = claim;
      this.reason = reason;
    }
  }

  /** All places are free. */
  public PeerPlaces(int limit) {
    this.limit = limit;
  }

  /** Peers with a place, including peers that have given way and have not ended. */
  public int size() {
    return places.size();
  }

  /** Whether this peer has given way and has not ended. */
  public boolean isLeaving(String peer) {
    Place place = places.get(peer);
    return place != null && place.reason == Reason.LEAVING;
  }

  /** Whether {@link #onClaim} would give this peer a place. */
  public boolean canTake(Claim claim) {
    return decide(claim).isTaken();
  }

  /** A peer has proved its identity, and wants a place unless the peer has a place. */
  public Decision onClaim(Claim claim) {
    Decision decision = decide(claim);
    if (!decision.isTaken()) {
      return decision;
    }
    giveWay(decision);
    Place known = places.get(claim.peer());
    if (known == null) {
      places.put(claim.peer(), new Place(claim, Reason.CLAIMED));
      add(claim);
    } else if (known.reason == Reason.CLAIMED && !known.claim.equals(claim)) {
      // The peer's certificate has another key than before, or the peer has moved.
      remove(known.claim);
      known.claim = claim;
      add(claim);
    }
    assert invariantsHold();
    return decision;
  }

  private Decision decide(Claim claim) {
    Place known = places.get(claim.peer());
    if (known != null) {
      // A peer that has just given way does not come back before its paths have ended.
      return known.reason == Reason.LEAVING ? Decision.REFUSED : Decision.FREE;
    }
    if (hasFree()) {
      return Decision.FREE;
    }
    String yields = yieldsTo(claim);
    return yields == null ? Decision.REFUSED : new Decision(true, yields);
  }

  /** This node calls a peer, and the peer has its place for good. */
  public Decision onCalled(String peer) {
    Place known = places.get(peer);
    if (known != null && known.reason != Reason.LEAVING) {
      if (known.reason == Reason.CLAIMED) {
        remove(known.claim);
        known.reason = Reason.CALLED;
        called++;
      }
      assert invariantsHold();
      return Decision.FREE;
    }
    String largest = largestIdentity();
    Decision decision = Decision.REFUSED;
    if (hasFree()) {
      decision = Decision.FREE;
    } else if (largest != null && called + 1 < countOf(largest)) {
      decision = yielding(newestOf(largest));
    }
    if (decision.isTaken()) {
      giveWay(decision);
      if (known != null) {
        leaving--;
      }
      places.put(peer, new Place(new Claim(peer, "", ""), Reason.CALLED));
      called++;
    }
    assert invariantsHold();
    return decision;
  }

  /**
   * A place is free, but the peer's other needs have no room: a peer gives way under the same
   * conditions as with all places taken.
   *
   * @return the peer that gives way, or null without such a peer
   */
  public @Nullable String onShort(Claim claim) {
    Place known = places.get(claim.peer());
    String yields = known == null ? yieldsTo(claim) : null;
    if (yields != null) {
      giveWay(yielding(yields));
    }
    assert invariantsHold();
    return yields;
  }

  /** The node keeps nothing of this peer any more. */
  public void onEnded(String peer) {
    Place place = places.remove(peer);
    if (place != null) {
      switch (place.reason) {
        case CLAIMED -> remove(place.claim);
        case CALLED -> called--;
        case LEAVING -> leaving--;
      }
    }
    assert invariantsHold();
  }

  private boolean hasFree() {
    return places.size() - leaving < limit;
  }

  private static Decision yielding(@Nullable String peer) {
    return peer == null ? Decision.REFUSED : new Decision(true, peer);
  }

  /** The peer that gives way to this peer without a place, or null. */
  private @Nullable String yieldsTo(Claim claim) {
    String largest = largestIdentity();
    if (largest == null) {
      return null;
    }
    // The claiming identity would hold a place more and the largest a place less: a smaller
    // difference is no gain.
    if (countOf(claim.identity()) + 1 < countOf(largest)) {
      return newestOf(largest);
    }
    Map<String, SequencedSet<String>> own = byIdentity.get(claim.identity());
    if (own == null || leaving >= leavingLimit()) {
      return null;
    }
    SequencedSet<String> crowd = largestAddress(own);
    SequencedSet<String> same = own.get(claim.address());
    return (same == null ? 0 : same.size()) + 1 < crowd.size() ? crowd.getLast() : null;
  }

  private @Nullable String newestOf(String identity) {
    Map<String, SequencedSet<String>> addresses = byIdentity.get(identity);
    return addresses == null || leaving >= leavingLimit()
        ? null
        : largestAddress(addresses).getLast();
  }

  private int leavingLimit() {
    return Math.max(1, limit / LEAVING_PART);
  }

  private int countOf(String identity) {
    Map<String, SequencedSet<String>> addresses = byIdentity.get(identity);
    return addresses == null ? 0 : addresses.values().stream().mapToInt(SequencedSet::size).sum();
  }

  /** The identity with most places; of equal identities the last. */
  private @Nullable String largestIdentity() {
    String largest = null;
    int most = 0;
    for (String identity : byIdentity.keySet()) {
      int count = countOf(identity);
      if (count >= most) {
        largest = identity;
        most = count;
      }
    }
    return largest;
  }

  private static SequencedSet<String> largestAddress(Map<String, SequencedSet<String>> addresses) {
    SequencedSet<String> largest = new LinkedHashSet<>();
    for (SequencedSet<String> peers : addresses.values()) {
      if (peers.size() >= largest.size()) {
        largest = peers;
      }
    }
    return largest;
  }

  private void giveWay(Decision decision) {
    String peer = decision.yields();
    Place place = peer == null ? null : places.get(peer);
    if (place != null) {
      remove(place.claim);
      place.reason = Reason.LEAVING;
      leaving++;
    }
  }

  private void add(Claim claim) {
    byIdentity
        .computeIfAbsent(claim.identity(), identity -> new LinkedHashMap<>())
        .computeIfAbsent(claim.address(), address -> new LinkedHashSet<>())
        .add(claim.peer());
  }

  private void remove(Claim claim) {
    Map<String, SequencedSet<String>> addresses = byIdentity.get(claim.identity());
    SequencedSet<String> peers = addresses == null ? null : addresses.get(claim.address());
    if (addresses != null && peers != null) {
      peers.remove(claim.peer());
      if (peers.isEmpty()) {
        addresses.remove(claim.address());
      }
      if (addresses.isEmpty()) {
        byIdentity.remove(claim.identity());
      }
    }
  }

  private boolean invariantsHold() {
    int claimed = byIdentity.keySet().stream().mapToInt(this::countOf).sum();
    return claimed + called + leaving == places.size()
        && claimed + called <= limit
        && leaving <= leavingLimit();
  }
}
