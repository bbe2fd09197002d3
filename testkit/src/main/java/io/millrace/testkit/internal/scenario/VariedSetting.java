package io.millrace.testkit.internal.scenario;

/**
 * An unusual setting of a seed.
 *
 * @param name the setting's name in the swarm
 * @param value the drawn value, for people
 */
public record VariedSetting(String name, String value) {
  @Override
  public String toString() {
    return name + " = " + value;
  }
}
