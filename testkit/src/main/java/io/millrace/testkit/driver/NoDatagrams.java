package io.millrace.testkit.driver;

import io.millrace.driver.CompletionHandler;
import io.millrace.memory.SegmentBuffer;

/** A handler for completions only. */
abstract class NoDatagrams implements CompletionHandler {
  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    throw new AssertionError("nobody sends here");
  }
}
