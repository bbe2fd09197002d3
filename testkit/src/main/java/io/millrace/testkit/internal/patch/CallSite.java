package io.millrace.testkit.internal.patch;

/**
 * A call that a simulation must know about.
 *
 * @param className the calling class, dotted
 * @param method the calling method
 * @param kind effect of the call
 * @param call the called method, as class and name
 * @param refused whether the call fails in a simulation instead of being made
 */
public record CallSite(
    String className, String method, CallKind kind, String call, boolean refused) {
  @Override
  public String toString() {
    return kind.label() + " " + className + " (" + method + " calls " + call + ")";
  }
}
