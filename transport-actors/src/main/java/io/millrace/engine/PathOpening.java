package io.millrace.engine;

import io.millrace.path.packet.PathTerms;
import io.millrace.path.peer.PeerLink;
import org.apache.pekko.actor.Cancellable;
import org.jspecify.annotations.Nullable;

/** A settled path that waits for workers to fence. Any thread. */
final class PathOpening {
  private final PeerLink link;
  private final PathTerms terms;
  private @Nullable Cancellable timer;
  private boolean decided;

  /** A path of this link under these terms. */
  PathOpening(PeerLink link, PathTerms terms) {
    this.link = link;
    this.terms = terms;
  }

  PeerLink link() {
    return link;
  }

  PathTerms terms() {
    return terms;
  }

  /** The opening waits no longer than until this timer fires. */
  synchronized void onTimer(Cancellable started) {
    timer = started;
    if (decided) {
      started.cancel();
    }
  }

  /** The path waits no more. */
  synchronized void onDecided() {
    decided = true;
    if (timer != null) {
      timer.cancel();
    }
  }
}
