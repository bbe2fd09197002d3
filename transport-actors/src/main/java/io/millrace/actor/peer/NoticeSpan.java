package io.millrace.actor.peer;

/** Where the variable parts of a notification lie in its packet. One a worker, reused. */
final class NoticeSpan {
  private int keyAt;
  private int keyLength;
  private int tagsAt;
  private int tagsLength;

  void set(int keyAt, int keyLength, int tagsAt, int tagsLength) {
    this.keyAt = keyAt;
    this.keyLength = keyLength;
    this.tagsAt = tagsAt;
    this.tagsLength = tagsLength;
  }

  int keyAt() {
    return keyAt;
  }

  int keyLength() {
    return keyLength;
  }

  int tagsAt() {
    return tagsAt;
  }

  int tagsLength() {
    return tagsLength;
  }
}
