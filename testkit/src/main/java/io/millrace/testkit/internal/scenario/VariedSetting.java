package io.millrace.testkit.internal.scenario;

/**
 * A setting that a seed has other than usual.
 *
 * @param name its name in the swarm
 * @param value what it is, for people
 */
public record VariedSetting(String name, String value) {
  @Override
  public String toString() {
    return name + " = " + value;
  }
}
