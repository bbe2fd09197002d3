package io.millrace.path.region;

import io.millrace.body.BodyOpener;
import io.millrace.body.BodyTerms;
import org.jspecify.annotations.Nullable;

/** Who takes the bodies that the peer of one path writes. On the worker's thread. */
public interface InboundBodies {
  /** Nobody wants any. */
  InboundBodies NONE = new InboundBodies() {};

  /** The opener of a body that was begun before, or null. Does not allocate. */
  default @Nullable BodyOpener begun(long transferId, boolean isResponse) {
    return null;
  }

  /** Begins the body that a notification tells of; null if nobody wants it. */
  default @Nullable BodyOpener begin(BodyTerms terms) {
    return null;
  }
}
