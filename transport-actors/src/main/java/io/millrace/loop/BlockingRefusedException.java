package io.millrace.loop;

/** Somebody was about to block a loop's thread. Nothing was waited for. */
public final class BlockingRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private BlockingRefusedException(String message) {
    super(message);
  }

  /**
   * To be called before the calling thread waits for the work of a node of this process.
   *
   * @throws BlockingRefusedException if the calling thread drives a worker
   */
  public static void check() {
    EventLoop loop = EventLoop.currentOrNull();
    if (loop != null) {
      throw on(loop);
    }
  }

  static BlockingRefusedException on(EventLoop loop) {
    return new BlockingRefusedException(
        "blocking call refused on "
            + loop.name()
            + ": this thread drives a worker and must never wait; block on a dispatcher of your"
            + " own");
  }
}
