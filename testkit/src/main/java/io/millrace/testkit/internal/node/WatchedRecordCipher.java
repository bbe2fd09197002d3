package io.millrace.testkit.internal.node;

import io.millrace.crypto.RecordCipher;
import java.util.List;

/** Passes everything to the actual cipher and reports sealed and opened records. */
final class WatchedRecordCipher extends RecordCipher {
  private final RecordCipher actual;
  private final KeyInUse key;
  private final List<CipherObserver> observers;
  private final Runnable onReleased;

  WatchedRecordCipher(
      RecordCipher actual, KeyInUse key, List<CipherObserver> observers, Runnable onReleased) {
    super(key.use());
    this.actual = actual;
    this.key = key;
    this.observers = observers;
    this.onReleased = onReleased;
  }

  @Override
  protected void sealRecord(
      long nonce,
      byte[] plain,
      int offset,
      int length,
      int secretBytes,
      byte[] out,
      int outOffset) {
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).onRecordSealed(key, nonce);
    }
    actual.seal(nonce, plain, offset, length, secretBytes, out, outOffset);
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).onRecordOut(key, out, outOffset, length, secretBytes);
    }
  }

  @Override
  protected boolean openRecord(
      long nonce,
      byte[] sealed,
      int offset,
      int length,
      int secretBytes,
      byte[] out,
      int outOffset) {
    if (!actual.open(nonce, sealed, offset, length, secretBytes, out, outOffset)) {
      return false;
    }
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).onRecordOpened(key, nonce);
    }
    return true;
  }

  @Override
  protected void release() {
    actual.close();
    onReleased.run();
  }
}
