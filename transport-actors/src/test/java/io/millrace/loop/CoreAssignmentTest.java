package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against an imitation of /sys: 2 nodes of 4 cores with 2 hardware threads, cpu N beside N+8. */
class CoreAssignmentTest {
  private static final String KEY = "millrace.pool.cores";
  private static final int UNKNOWN = CpuTopology.UNKNOWN_NODE;
  private static final CpuSet ALL = CpuSet.parse("0-15");

  @TempDir private Path root;
  private CpuTopology machine;

  @BeforeEach
  void imitate() throws IOException {
    write("sys/devices/system/node/node0/cpulist", "0-3,8-11\n");
    write("sys/devices/system/node/node1/cpulist", "4-7,12-15\n");
    write("sys/devices/system/node/node2/cpulist", "\n"); // memory only
    write("sys/devices/system/cpu/isolated", "2-7,10-15\n");
    for (int cpu = 0; cpu < 16; cpu++) {
      write(
          "sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list",
          cpu % 8 + "," + (cpu % 8 + 8) + "\n");
    }
    write("sys/class/net/eth0/device/numa_node", "0\n");
    write("sys/class/net/eth1/device/numa_node", "1\n");
    write("sys/class/net/veth/device/numa_node", "-1\n");
    machine = new SysfsTopology(root);
  }

  @Test
  void shouldReadTopology() {
    assertEquals(
        List.of(
            new CpuTopology.NumaNode(0, CpuSet.parse("0-3,8-11")),
            new CpuTopology.NumaNode(1, CpuSet.parse("4-7,12-15"))),
        machine.nodes());
    assertEquals(1, machine.nodeOf(12));
    assertEquals(UNKNOWN, machine.nodeOf(99));
    assertEquals(CpuSet.of(3, 11), machine.siblingsOf(11));
    assertEquals(CpuSet.parse("2-7,10-15"), machine.isolated());
    assertEquals(1, machine.nodeOfInterface("eth1"));
    assertEquals(UNKNOWN, machine.nodeOfInterface("veth"));
    assertEquals(UNKNOWN, machine.nodeOfInterface("absent"));
  }

  @Test
  void shouldTakeMachineWithoutFilesForOneNode(@TempDir Path empty) throws IOException {
    CpuTopology bare = new SysfsTopology(empty);
    assertEquals(1, bare.nodes().size());
    assertEquals(Runtime.getRuntime().availableProcessors(), bare.nodes().get(0).cpus().count());
    assertEquals(CpuSet.of(5), bare.siblingsOf(5));
    assertEquals(CpuSet.NONE, bare.isolated());
  }

  @Test
  void shouldGiveEachWorkerCoreNearItsNic() {
    CoreAssignment given = assign(List.of(2, 3, 4, 5), List.of(1, 0, 1));
    assertEquals(List.of(4, 2, 5), given.coreOfWorker());
    assertEquals(CpuSet.of(3), given.surplus());
    assertEquals(List.of(), given.notices());
  }

  @Test
  void shouldLeaveNearCoresToThoseWhoKnowTheirNode() {
    CoreAssignment given = assign(List.of(2, 4), List.of(UNKNOWN, 0));
    assertEquals(List.of(4, 2), given.coreOfWorker());
  }

  @Test
  void shouldPreferPhysicalCoresThatNobodyUses() {
    assertEquals(List.of(2, 3), assign(List.of(2, 10, 3), List.of(0, 0)).coreOfWorker());
    CoreAssignment crowded = assign(List.of(2, 10), List.of(0, 0));
    assertEquals(List.of(2, 10), crowded.coreOfWorker());
    assertEquals(
        List.of(
            "worker 0 on CPU 2 shares a physical core",
            "worker 1 on CPU 10 shares a physical core"),
        crowded.notices());
  }

  @Test
  void shouldSayWhatIsLessThanIdeal() {
    CoreAssignment given =
        CoreAssignment.assign(
            KEY, List.of(4, 0, 1), List.of(0, 0, 0), machine, CpuSet.parse("0,2-15"));
    assertEquals(List.of(0, 1, 4), given.coreOfWorker());
    assertEquals(
        List.of(
            "CPU 1 is not among those of the process: 0,2-15",
            "worker 2 runs on CPU 4 of node 1, its NIC is at node 0",
            "not isolated, so other threads may run there: 0-1"),
        given.notices());
  }

  @Test
  void shouldPinNobodyWithoutList() {
    assertEquals(List.of(-1, -1), assign(List.of(), List.of(0, 1)).coreOfWorker());
  }

  @Test
  void shouldNameTheKeyOfBadList() {
    for (List<Integer> bad : List.of(List.of(2, 3, 2), List.of(2), List.of(2, -1))) {
      ConfigException refusal =
          assertThrows(ConfigException.class, () -> assign(bad, List.of(0, 1)));
      assertTrue(refusal.toString().contains(KEY), refusal.getMessage());
    }
  }

  @Test
  void shouldChooseFromIsolatedCoresWhereThereAreEnough() {
    assertEquals(machine.isolated().toList(), candidates(12, ALL));
    assertEquals(machine.isolated().toList(), candidates(1, CpuSet.parse("0-1")));
  }

  @Test
  void shouldAddTheHighestOthersAndLeaveOneFree() throws IOException {
    List<Integer> all = candidates(15, ALL);
    assertEquals(List.of(9, 8, 1), all.subList(12, 15), "CPU 0 stays for all other threads");
    assertEquals(List.of(), candidates(16, ALL));
    write("sys/devices/system/cpu/isolated", "\n");
    assertEquals(List.of(3, 2), candidates(2, CpuSet.parse("1-3")));
    assertEquals(List.of(), candidates(1, CpuSet.of(0)), "the only one");
  }

  @Test
  void shouldNotChooseIsolatedCoresThatTheControlGroupDoesNotHave() throws IOException {
    write("proc/self/cgroup", "0::/a/b\n");
    write("sys/fs/cgroup/a/b/cpuset.cpus.effective", "0-3\n");
    assertEquals(CpuSet.parse("0-3"), machine.cpuset());
    assertEquals(List.of(2, 3), candidates(2, CpuSet.parse("0-1")));
    write("proc/self/cgroup", "1:cpuset:/old\n");
    assertEquals(CpuSet.NONE, machine.cpuset(), "not told by older kernels");
  }

  private List<Integer> candidates(int count, CpuSet allowed) {
    return CoreAssignment.candidates(count, machine, allowed);
  }

  private CoreAssignment assign(List<Integer> cores, List<Integer> nodeOfWorker) {
    return CoreAssignment.assign(KEY, cores, nodeOfWorker, machine, ALL);
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
