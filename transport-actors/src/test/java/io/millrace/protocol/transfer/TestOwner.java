package io.millrace.protocol.transfer;

/** Serves calls in tests of their tables: entries that leave a queue have no effect. A fake. */
final class TestOwner implements ServedCall.Owner {
  static final TestOwner NONE = new TestOwner();

  private TestOwner() {}

  @Override
  public void onAnswerDropped(ServedCall call) {}

  @Override
  public void onAnswerUnsendable(ServedCall call) {}

  @Override
  public void onCausalAnswered(long transferId, boolean isWell) {
    // No test of these waits for another call.
  }
}
