# Serves S3 by OpenStack Swift on a port of 127.0.0.1: the proxy server with its S3 API, and the servers of accounts, containers and objects
# that it needs, all in this process. It verifies signatures, and the hash of each body that a client has signed.
# Arguments: a folder, empty or of an earlier run, and the port. Access key, secret and region come as ACCESS_KEY, SECRET_KEY and REGION.
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi
from swift.common import utils

folder, port = sys.argv[1], int(sys.argv[2])
SWIFT_CONF = os.path.join(folder, 'swift.conf')
DEVICES = os.path.join(folder, 'devices')
os.makedirs(os.path.join(DEVICES, 'd1'), exist_ok=True)


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as file:
        file.write(text)
    return path


write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = test\nswift_hash_path_prefix = test\n')
utils.SWIFT_CONF_FILE = SWIFT_CONF
utils.HASH_PATH_SUFFIX = utils.HASH_PATH_PREFIX = b'test'

from swift.common import storage_policy

storage_policy._POLICIES = storage_policy.parse_storage_policies(utils.ConfigParser())

from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp

for kind in ('account', 'container', 'object'):
    socket = eventlet.listen(('127.0.0.1', 0))
    ring = RingBuilder(1, 1, 1)
    ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': socket.getsockname()[1], 'device': 'd1', 'weight': 1})
    ring.rebalance()
    ring.get_ring().save(os.path.join(folder, f'{kind}.ring.gz'))
    app = loadapp(
        write(
            f'{kind}.conf',
            f'[DEFAULT]\nswift_dir = {folder}\ndevices = {DEVICES}\nmount_check = false\nfallocate_reserve = 0\n'
            f'[pipeline:main]\npipeline = {kind}-server\n[app:{kind}-server]\nuse = egg:swift#{kind}\n',
        )
    )
    eventlet.spawn(wsgi.server, socket, app, log_output=False)

proxy = loadapp(
    write(
        'proxy.conf',
        f"""[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = catch_errors s3api tempauth proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = {os.environ['REGION']}
storage_domain = localhost
[filter:tempauth]
use = egg:swift#tempauth
user_test_{os.environ['ACCESS_KEY'].split(':')[1]} = {os.environ['SECRET_KEY']} .admin
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
""",
    )
)


class Cache:
    """Keeps in this process what a memcached would keep."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_):
        return self.values.get(key)

    def set(self, key, value, **_):
        self.values[key] = value

    def delete(self, key, **_):
        self.values.pop(key, None)

    def incr(self, key, delta=1, **_):
        self.values[key] = self.values.get(key, 0) + delta
        return self.values[key]


cache = Cache()


def serve(env, start_response):
    env['swift.cache'] = cache
    return proxy(env, start_response)


listening = eventlet.listen(('127.0.0.1', port))
print('ready', flush=True)
wsgi.server(listening, serve, log_output=False)
