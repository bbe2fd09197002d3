package io.millrace.testkit.driver;

import io.millrace.driver.CompletionHandler;
import org.agrona.concurrent.UnsafeBuffer;

/** A handler for completions only. */
abstract class NoDatagrams implements CompletionHandler {
  @Override
  public void onReceive(UnsafeBuffer buffer, int offset, int length, int ecn) {
    throw new AssertionError("nobody sends here");
  }
}
