package io.millrace.path.region;

import io.millrace.body.BodyOpener;
import io.millrace.body.BodyTerms;
import org.jspecify.annotations.Nullable;

/** Takes the bodies written by the peer of one path. On the worker's thread. */
public interface InboundBodies {
  /** A receiver that wants no bodies. */
  InboundBodies NONE = new InboundBodies() {};

  /** The opener of a body begun before, or null. Does not allocate. */
  default @Nullable BodyOpener begun(long transferId, boolean isResponse) {
    return null;
  }

  /** Begins the body of a notification; null if nobody wants the body. */
  default @Nullable BodyOpener begin(BodyTerms terms) {
    return null;
  }
}
