package io.millrace.samples.selftest;

import org.jspecify.annotations.Nullable;

/** The checks of the self-test, in their order, each with the remedy of a failure. */
public enum Check {
  /** The driver's library is loaded. */
  LIBRARY(
      "library",
      null,
      "install libfabric (Debian: libfabric1; EC2: the EFA installer), or name its file with"
          + " -Dmillrace.fabric.library=FILE"),
  /** The provider is there, and its traits are known. */
  PROVIDER(
      "provider",
      LIBRARY,
      "'fi_info -p PROVIDER' must list the provider",
      "; on EC2 attach an EFA interface to the instance"),
  /** The limit of locked memory. */
  LOCKED_MEMORY(
      "locked memory", null, "ulimit -l unlimited, LimitMEMLOCK=infinity of a systemd unit"),
  /** Room in the file system for shared memory. */
  SHARED_MEMORY("shared memory", null, "mount -o remount,size=1G /dev/shm; docker --shm-size=1g"),
  /** An endpoint opens and closes. */
  OPEN(
      "open and close",
      PROVIDER,
      "name the interface's address: --set millrace.nic.address=HOST:0",
      "; look at the device's permissions in /dev/infiniband"),
  /** A message arrives at another endpoint of this process. */
  MESSAGE(
      "message",
      OPEN,
      "look at the firewall",
      "; EC2: the security group must allow all traffic to and from itself"),
  /** A small registration. */
  REGISTER_SMALL("register 1 MiB", OPEN, "raise the limit of locked memory"),
  /** A registration like a large pool. */
  REGISTER_LARGE("register 64 MiB", OPEN, "raise the limit of locked memory"),
  /** A one-sided write brings its bytes. */
  WRITE("one-sided write", REGISTER_SMALL, "send us the block below"),
  /** A write with an immediate value is reported to the target. */
  IMMEDIATE("write with immediate", WRITE, "send us the block below"),
  /** A write with a key of the past writes nothing. */
  STALE_KEY("stale key", WRITE, "do not use one-sided writes of this provider; send us the block"),
  /** The time there and back. */
  ROUND_TRIP("round trip 64 B", MESSAGE, "send us the block below"),
  /** The rate of small writes. */
  BANDWIDTH_SMALL("writes of 64 KiB", WRITE, "send us the block below"),
  /** The rate of large writes. */
  BANDWIDTH_LARGE("writes of 1 MiB", WRITE, "send us the block below"),
  /** The endpoints close. */
  CLOSE("close", OPEN, "send us the block below");

  private static final String EFA = "efa";

  private final String label;
  private final @Nullable Check needed;
  private final String remedy;
  private final String efaRemedy;

  Check(String label, @Nullable Check needed, String remedy) {
    this(label, needed, remedy, "");
  }

  Check(String label, @Nullable Check needed, String remedy, String efaRemedy) {
    this.label = label;
    this.needed = needed;
    this.remedy = remedy;
    this.efaRemedy = efaRemedy;
  }

  /** The name for people. */
  public String label() {
    return label;
  }

  /** The remedy of a failure of the driver with this name, for people. */
  public String remedy(String driver) {
    String provider = driver.substring(driver.indexOf(':') + 1);
    String all = provider.startsWith(EFA) ? remedy + efaRemedy : remedy;
    return all.replace("PROVIDER", provider);
  }

  /** The check without which this check cannot run; null if there is none. */
  @Nullable Check needed() {
    return needed;
  }

  /** Whether a failure of this check fails the self-test; the limits of the host are advice. */
  public boolean isRequired() {
    return this != LOCKED_MEMORY && this != SHARED_MEMORY;
  }
}
