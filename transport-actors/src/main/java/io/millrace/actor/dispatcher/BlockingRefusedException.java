package io.millrace.actor.dispatcher;

/** Somebody was about to block a loop's thread. Nothing was waited for. */
public final class BlockingRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private BlockingRefusedException(String message) {
    super(message);
  }

  static BlockingRefusedException on(EventLoop loop) {
    return new BlockingRefusedException(
        "blocking call refused on "
            + loop.name()
            + ": this thread drives a worker and must never wait; block on a dispatcher of your"
            + " own");
  }
}
