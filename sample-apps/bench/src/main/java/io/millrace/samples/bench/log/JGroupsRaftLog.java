package io.millrace.samples.bench.log;

import io.millrace.samples.log.bench.RunningLog;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.blocks.cs.ReceiverAdapter;
import org.jgroups.blocks.cs.TcpClient;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.raft.RaftHandle;
import org.jgroups.raft.StateMachine;
import org.jspecify.annotations.Nullable;

/**
 * jgroups-raft with the protocols of its {@code raft.xml}, over TCP, and its own file log. The
 * client of jgroups-raft opens a connection for each operation. This cost is not measured here:
 * this client has one connection to the leader, by JGroups' own {@link TcpServer}. An operation and
 * its answer on this connection begin with a number of 8 bytes; the byte after an answer's number
 * says whether the operation is committed.
 */
public final class JGroupsRaftLog implements RunningLog {
  /** The terms of a commit. */
  public static final String TERMS =
      "jgroups-raft 1.0.13 over TCP, plain; its FileBasedLog with log_use_fsync forces each batch"
          + " in each replica, and a majority has forced a commit";

  private final RivalReplicas replicas;
  private final TcpClient client;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

  private JGroupsRaftLog(RivalReplicas replicas) throws IOException, InterruptedException {
    this.replicas = replicas;
    List<String> all = replicas.addresses();
    String leader = all.get(all.size() / 2 + replicas.leader());
    InetAddress host = InetAddress.getByName(RivalReplicas.host(leader));
    client = new TcpClient(host, 0, host, RivalReplicas.port(leader));
    client.receiver(
        new ReceiverAdapter() {
          @Override
          public void receive(Address sender, byte[] bytes, int offset, int length) {
            onAnswer(ByteBuffer.wrap(bytes, offset, length));
          }

          @Override
          public void receive(Address sender, DataInput in, int length) throws Exception {
            byte[] bytes = new byte[length];
            in.readFully(bytes);
            onAnswer(ByteBuffer.wrap(bytes));
          }
        });
    try {
      client.start();
    } catch (Exception e) {
      throw new IOException("the leader cannot be reached", e);
    }
  }

  /** Starts replicas and a client. */
  static RunningLog start(int count, Path directory) throws IOException, InterruptedException {
    RivalReplicas replicas = RivalReplicas.start(JGroupsRaftLog.class, count, 2, directory);
    try {
      return new JGroupsRaftLog(replicas);
    } catch (IOException | InterruptedException | RuntimeException e) {
      replicas.close();
      throw e;
    }
  }

  /** Runs a replica. */
  public static void main(String[] args) {
    RivalReplicas.serve(args, Server::new);
  }

  @Override
  public void openSessions(int count) {
    // This client has no sessions.
  }

  @Override
  public CompletableFuture<?> put(int session, byte[] key, byte[] value) {
    long number = numbers.incrementAndGet();
    byte[] operation = RivalReplicas.Values.put(key, value);
    byte[] message =
        ByteBuffer.allocate(Long.BYTES + operation.length).putLong(number).put(operation).array();
    CompletableFuture<Void> answer = new CompletableFuture<>();
    underWay.put(number, answer);
    try {
      client.send(message, 0, message.length);
    } catch (Exception e) {
      underWay.remove(number);
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private void onAnswer(ByteBuffer bytes) {
    CompletableFuture<Void> answer = underWay.remove(bytes.getLong());
    if (answer == null) {
      return;
    }
    if (bytes.get() == 1) {
      answer.complete(null);
    } else {
      answer.completeExceptionally(new IOException("refused"));
    }
  }

  @Override
  public ProcessHandle leader() throws IOException, InterruptedException {
    return replicas.leaderProcess();
  }

  @Override
  public void close() {
    replicas.closeWith(client);
  }

  private static final class Server implements RivalReplicas.Replica {
    private final RAFT raft;
    private final RaftHandle handle;
    private final TcpServer clients;

    Server(int self, Path directory, List<String> addresses) throws Exception {
      int count = addresses.size() / 2;
      String text = protocols(self, directory, addresses.subList(0, count));
      JChannel channel =
          new JChannel(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
      channel.name("r" + self);
      raft = channel.getProtocolStack().findProtocol(RAFT.class);
      raft.logUseFsync(true);
      handle = new RaftHandle(channel, new Puts());
      channel.connect("log");
      String forClients = addresses.get(count + self);
      clients =
          new TcpServer(
              InetAddress.getByName(RivalReplicas.host(forClients)),
              RivalReplicas.port(forClients));
      clients.receiver(
          new ReceiverAdapter() {
            @Override
            public void receive(Address sender, byte[] bytes, int offset, int length) {
              onOperation(sender, bytes, offset, length);
            }

            @Override
            public void receive(Address sender, DataInput in, int length) throws Exception {
              byte[] bytes = new byte[length];
              in.readFully(bytes);
              onOperation(sender, bytes, 0, length);
            }
          });
      clients.start();
    }

    private static String protocols(int self, Path directory, List<String> members) {
      String hosts =
          members.stream()
              .map(each -> RivalReplicas.host(each) + "[" + RivalReplicas.port(each) + "]")
              .collect(Collectors.joining(","));
      String ids =
          IntStream.range(0, members.size())
              .mapToObj(i -> "r" + i)
              .collect(Collectors.joining(","));
      String own = members.get(self);
      return """
      <config xmlns="urn:org:jgroups">
        <TCP bind_addr="%1$s" bind_port="%2$d" port_range="0" diag.enabled="false"
             thread_pool.min_threads="2" thread_pool.max_threads="100"/>
        <TCPPING initial_hosts="%3$s" port_range="0"/>
        <MERGE3 min_interval="1000" max_interval="3000"/>
        <FD_SOCK/>
        <FD_ALL3/>
        <VERIFY_SUSPECT timeout="1500"/>
        <pbcast.NAKACK2 xmit_interval="500" use_mcast_xmit="false" discard_delivered_msgs="true"/>
        <UNICAST3 xmit_interval="500" conn_expiry_timeout="0"/>
        <pbcast.STABLE desired_avg_gossip="50000" max_bytes="4M"/>
        <raft.NO_DUPES/>
        <pbcast.GMS print_local_addr="false" join_timeout="2000"/>
        <UFC max_credits="2M" min_threshold="0.4"/>
        <MFC max_credits="2M" min_threshold="0.4"/>
        <FRAG4 frag_size="60K"/>
        <raft.ELECTION/>
        <raft.RAFT members="%4$s" raft_id="%5$s" log_dir="%6$s"
                   log_class="org.jgroups.protocols.raft.FileBasedLog"/>
        <raft.REDIRECT/>
      </config>
      """
          .formatted(
              RivalReplicas.host(own), RivalReplicas.port(own), hosts, ids, "r" + self, directory);
    }

    private void onOperation(Address sender, byte[] bytes, int offset, int length) {
      long number = ByteBuffer.wrap(bytes, offset, length).getLong();
      try {
        var _ =
            handle
                .setAsync(bytes, offset + Long.BYTES, length - Long.BYTES)
                .whenComplete((_, failure) -> answer(sender, number, failure));
      } catch (Exception e) {
        answer(sender, number, e);
      }
    }

    private void answer(Address client, long number, @Nullable Throwable failure) {
      byte[] bytes =
          ByteBuffer.allocate(Long.BYTES + 1)
              .putLong(number)
              .put((byte) (failure == null ? 1 : 0))
              .array();
      try {
        clients.send(client, bytes, 0, bytes.length);
      } catch (Exception e) {
        e.printStackTrace(System.err);
      }
    }

    @Override
    public boolean leads() {
      return raft.isLeader();
    }
  }

  private static final class Puts implements StateMachine {
    private final RivalReplicas.Values values = new RivalReplicas.Values();

    @Override
    public byte @Nullable [] apply(byte[] data, int offset, int length, boolean wantsAnswer) {
      values.apply(ByteBuffer.wrap(data, offset, length));
      return null;
    }

    @Override
    public void readContentFrom(DataInput in) throws IOException {
      values.clear();
      for (int left = in.readInt(); left > 0; left--) {
        byte[] operation = new byte[in.readInt()];
        in.readFully(operation);
        values.apply(ByteBuffer.wrap(operation));
      }
    }

    @Override
    public void writeContentTo(DataOutput out) throws IOException {
      List<byte[]> operations = values.operations();
      out.writeInt(operations.size());
      for (byte[] operation : operations) {
        out.writeInt(operation.length);
        out.write(operation);
      }
    }
  }
}
